"""Comparison of printed numbers with ours: items, tolerances and verdicts."""
