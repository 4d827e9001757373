"""Figures and tables of "Evaluating the Performance of Reinforcement Learning Algorithms" (Jordan et al. 2020)."""
