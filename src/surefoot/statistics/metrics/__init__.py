"""Metrics, which summarize all scores of an algorithm in one number (Agarwal et al. 2021)."""
