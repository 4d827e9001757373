"""Readers of run formats, with one module per family of tools."""

MODULES = (
    "array_files",
    "evaluations",
    "event_files",
    "long_tables",
    "mlflow",
    "stable_baselines3",
    "one_file_per_run",
    "training_libraries",
    "wandb",
)
