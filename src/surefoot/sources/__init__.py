"""Sources of runs."""

MODULES = ("other_study", "plays", "published.source", "repeated_runs", "tables", "trials")
