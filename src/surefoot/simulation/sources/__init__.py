"""Sources of simulated runs."""

MODULES = ("repeated_runs", "trials")
