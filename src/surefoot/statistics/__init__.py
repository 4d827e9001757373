"""Statistics: performance percentiles and other normalizations, the game and its scores, intervals, their coverage,
bands, ranks, comparison with published numbers."""
