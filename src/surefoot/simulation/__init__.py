"""Simulated reinforcement-learning trials: environments, agents, complete definitions, the protocol of a trial."""
