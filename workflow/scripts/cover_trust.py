"""Count the failures of a method in simulated studies."""

from surefoot.workflow.blocks import failures
from surefoot.workflow.runner import run

run(snakemake, failures)
