"""Normalize the runs of a study on its scales."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.runs.scales.scaling.normalize", compiled=False)
