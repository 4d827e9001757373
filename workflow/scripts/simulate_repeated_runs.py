"""Simulate repeated runs with the same hyperparameters, or random policies."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.simulation.sources.simulating.simulate_repeated_runs")
