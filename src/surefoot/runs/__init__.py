"""Reading of runs from logs, curves and tables; one score per run; and scales."""
