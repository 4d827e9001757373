"""Simulate repeated runs of the same hyperparameters, or random policies."""

from surefoot.build.runner import run
from surefoot.sources.protocols import simulate

run(snakemake, simulate)
