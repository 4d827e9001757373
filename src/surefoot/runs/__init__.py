"""Runs in all the forms users have them: logs, curves and tables; one score per run; and scales."""
