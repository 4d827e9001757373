"""The readers of run formats, one module for each family of tools."""

MODULES = (
    "acme",
    "arrays",
    "dopamine",
    "evaluations",
    "event_files",
    "lerobot",
    "marl_eval",
    "mlflow",
    "rllib",
    "stable_baselines3",
    "tables",
    "wandb",
)
