"""Collect the trials of a source into one table."""

from surefoot.simulation.sources.simulating import collect
from surefoot.workflow.runner import run

run(snakemake, collect)
