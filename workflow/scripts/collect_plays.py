"""Collect the plays of all agents into one table."""

from surefoot.bayesian.sources.playing import collect_plays
from surefoot.workflow.runner import run

run(snakemake, collect_plays)
