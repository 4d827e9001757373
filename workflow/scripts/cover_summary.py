"""Summarize how often intervals fail."""

from surefoot.build.runner import run
from surefoot.questions.blocks import summary

run(snakemake, summary)
