"""The readers of run formats, one module for each family of tools."""

MODULES = (
    "arrays",
    "evaluations",
    "event_files",
    "long_tables",
    "mlflow",
    "stable_baselines3",
    "tables",
    "training_libraries",
    "wandb",
)
