"""Evaluation game of Jordan et al. 2020: percentiles, payoffs, scores and their sensitivity."""
