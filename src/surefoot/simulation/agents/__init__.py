"""Agents: compiled learning rules, one family per module, without distributions of hyperparameters."""
