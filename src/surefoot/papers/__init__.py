"""Papers whose published numbers are compared with ours, with the code for figures specific to them."""

MODULES = ("agarwal2021.subsample_comparisons", "agarwal2021.estimates", "recht2018.questions")
"""Modules that define questions specific to a paper."""
