"""Sources of runs."""

MODULES = ("plays", "published.source", "repeated_runs", "tables", "trials")
