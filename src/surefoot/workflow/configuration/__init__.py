"""The configuration: its models, their validation, and the files with its keys."""
