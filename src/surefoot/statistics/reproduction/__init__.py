"""Comparison of published numbers with ours: items, tolerances and verdicts."""
