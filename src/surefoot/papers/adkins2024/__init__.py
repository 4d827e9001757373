"""Hyperparameter sensitivity of variants of PPO (Adkins, Bowling and White, NeurIPS 2024)."""
