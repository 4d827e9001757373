"""Evaluation game of Jordan et al. 2020, and other normalizations and evaluation procedures for comparison."""
