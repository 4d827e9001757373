"""Convert a published table, after downloading it if necessary."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.runs.published.collecting.collect")
