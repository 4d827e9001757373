"""Runs as arrays: samples of scores, their order and their common scales, and effects of runs."""
