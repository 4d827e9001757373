"""Collect the trials of a source into one table."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.simulation.sources.simulating.collect")
