"""Agents, one per module; `surefoot.bayesian.bayesian_registry` lists their names."""
