"""Collect the trials of a source in one table."""

from surefoot.build.runner import run
from surefoot.sources.simulating import collect

run(snakemake, collect)
