"""Compute the payoff of each algorithm against each other one."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.runs.scales.scaling.normalize_pairs")
