"""Simulate repeated runs with the same hyperparameters, or random policies."""

from surefoot.simulation.sources.simulating_repeated_runs import simulate
from surefoot.workflow.runner import run

run(snakemake, simulate)
