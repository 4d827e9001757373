"""Simulate trials of algorithms in environments."""

from surefoot.simulation.sources.simulating import simulate
from surefoot.workflow.runner import run

run(snakemake, simulate)
