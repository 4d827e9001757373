"""Compute the intervals of simulated data sets."""

from surefoot.build.runner import run
from surefoot.questions.blocks import intervals

run(snakemake, intervals)
