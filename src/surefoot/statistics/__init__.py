"""Statistics: performance percentiles, the game and its scores, intervals, bands, ranks, comparison with published
numbers."""
