"""The readers of run formats, one module for each family of tools."""

MODULES = (
    "arrays",
    "event_files",
    "stable_baselines3",
    "tables",
    "training_libraries",
    "wandb",
)
