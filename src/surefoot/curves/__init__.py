"""Learning curves: which runs are short, a common grid of steps, and one score for each run by a stated rule."""
