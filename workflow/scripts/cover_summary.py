"""Summarize how often intervals fail."""

from surefoot.workflow.blocks import summary
from surefoot.workflow.runner import run

run(snakemake, summary)
