"""Agents, one per module; `surefoot.bayesian.registry` lists their names."""
