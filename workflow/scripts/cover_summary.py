"""Summarize how often intervals fail."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.workflow.blocks.summary")
