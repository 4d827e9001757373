"""The agents: one module each, whose names `surefoot.bayesian.registry` lists."""
