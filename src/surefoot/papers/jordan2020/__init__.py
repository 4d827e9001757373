"""Figures and tables of Jordan et al., Evaluating the Performance of Reinforcement Learning Algorithms, ICML 2020."""
