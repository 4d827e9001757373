"""Bayesian reinforcement learning: distributions over MDPs, agents that know them, and the timed protocol."""
