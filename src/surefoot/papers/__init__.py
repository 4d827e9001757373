"""Papers whose published numbers are compared with ours, each with what only its figures need."""

MODULES = ("agarwal2021.subsample_comparisons", "agarwal2021.estimates", "recht2018.questions")
"""The modules that have questions of a paper."""
