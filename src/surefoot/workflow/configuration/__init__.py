"""The configuration: its models, their validation, and the files that give its keys."""
