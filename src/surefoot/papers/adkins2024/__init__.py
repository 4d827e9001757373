"""Sensitivity of variants of PPO to their hyperparameters (Adkins, Bowling and White, NeurIPS 2024)."""
