"""Bayesian reinforcement learning: distributions over MDPs, agents with a prior, and the timed protocol."""
