"""Compute the payoff of each algorithm against each other one."""

from surefoot.build.runner import run
from surefoot.scales.scaling import normalize_pairs

run(snakemake, normalize_pairs)
