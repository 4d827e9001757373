"""Figures and tables of "Benchmarking for Bayesian Reinforcement Learning" (Castronovo et al. 2016)."""
