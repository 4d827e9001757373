"""Learning curves: runs that end early, common grids of steps, and rules that reduce a curve to one score."""
