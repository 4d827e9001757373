"""Compute the intervals of simulated data sets."""

from surefoot.workflow.blocks import intervals
from surefoot.workflow.runner import run

run(snakemake, intervals)
