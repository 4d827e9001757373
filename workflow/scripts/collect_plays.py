"""Collect the plays of all agents into one table."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.bayesian.sources.playing.collect_plays")
