"""Read runs from logs and tables, reduce learning curves to one score per run, and scale the scores."""
