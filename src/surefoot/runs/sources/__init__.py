"""Sources of runs."""

MODULES = ("other_study", "tables")
