"""Simulate trials of algorithms in environments."""

from surefoot.build.runner import run
from surefoot.sources.simulating import simulate

run(snakemake, simulate)
