"""Simulate repeated runs with the same hyperparameters, or random policies."""

from surefoot.simulation.sources.simulating import simulate_repeated_runs
from surefoot.workflow.runner import run

run(snakemake, simulate_repeated_runs)
