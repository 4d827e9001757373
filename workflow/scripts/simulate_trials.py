"""Simulate trials of algorithms in environments."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.simulation.sources.simulating.simulate")
