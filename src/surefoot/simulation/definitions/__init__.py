"""Complete definitions: agents together with distributions of all their hyperparameters."""
