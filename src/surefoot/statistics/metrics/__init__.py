"""Catalogue of metrics: one number for all scores of an algorithm (Agarwal et al. 2021)."""
