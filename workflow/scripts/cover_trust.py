"""Count the failures of a method in simulated studies."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.workflow.blocks.failures")
