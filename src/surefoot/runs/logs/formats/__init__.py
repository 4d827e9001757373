"""Readers of run formats, with one module per family of tools."""

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
