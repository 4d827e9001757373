"""Scales that make scores of different environments comparable."""

MODULES = ("min_max", "none", "performance_percentile", "ratio", "reference_scores")
