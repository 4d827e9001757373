"""Where runs come from."""

MODULES = ("plays", "published.source", "repeated_runs", "tables", "trials")
