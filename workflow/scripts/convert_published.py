"""Convert a published table, which is downloaded if necessary."""

from surefoot.runs.published.collecting import collect
from surefoot.workflow.runner import run

run(snakemake, collect)
