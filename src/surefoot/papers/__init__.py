"""Papers whose published numbers are compared with ours, each with the code that only its figures need."""

MODULES = ("agarwal2021.subsample_comparisons", "agarwal2021.estimates", "recht2018.questions")
"""Modules that define questions for one paper."""
