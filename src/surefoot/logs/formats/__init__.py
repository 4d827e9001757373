"""The readers of run formats, one module for each family of tools."""

MODULES = (
    "arrays",
    "evaluations",
    "event_files",
    "marl_eval",
    "mlflow",
    "stable_baselines3",
    "tables",
    "training_libraries",
    "wandb",
)
