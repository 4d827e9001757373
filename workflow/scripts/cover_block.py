"""Compute the intervals of simulated data sets."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.workflow.blocks.intervals")
