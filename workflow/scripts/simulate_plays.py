"""Simulate plays of Bayesian agents."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.bayesian.sources.playing.play")
