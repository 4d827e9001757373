"""Simulated reinforcement-learning trials: environments, agents, complete definitions, and the protocol of a trial."""
