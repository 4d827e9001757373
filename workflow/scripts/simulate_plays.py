"""Simulate plays of Bayesian agents."""

from surefoot.bayesian.sources.playing import play
from surefoot.workflow.runner import run

run(snakemake, play)
