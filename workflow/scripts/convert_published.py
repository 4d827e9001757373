"""Convert a published table, after downloading it if necessary."""

from surefoot.runs.published.collecting import collect
from surefoot.workflow.runner import run

run(snakemake, collect)
