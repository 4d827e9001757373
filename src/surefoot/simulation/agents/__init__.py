"""Agents: compiled learning rules, one family a module; they know no distribution of hyperparameters."""
