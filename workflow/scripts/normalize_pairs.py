"""Compute the payoff of each algorithm against each other one."""

from surefoot.runs.scales.scaling import normalize_pairs
from surefoot.workflow.runner import run

run(snakemake, normalize_pairs)
