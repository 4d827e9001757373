"""Normalize the runs of a study on its scales."""

from surefoot.runs.scales.scaling import normalize
from surefoot.workflow.runner import run

run(snakemake, normalize, compiled=False)
