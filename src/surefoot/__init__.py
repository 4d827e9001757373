"""Surefoot: how good is a reinforcement-learning algorithm, and how sure may we be of it?"""

__version__ = "0.1.0"
