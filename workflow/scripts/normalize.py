"""Normalize the runs of a study on its scales."""

from surefoot.build.runner import run
from surefoot.scales.scaling import normalize

run(snakemake, normalize)
