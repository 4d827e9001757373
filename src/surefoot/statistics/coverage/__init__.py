"""Coverage of intervals: simulated data sets with known truth, and counts of failures."""
