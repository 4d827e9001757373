"""Runs as people have them: logs, curves and tables, one score for each run, and scales."""
