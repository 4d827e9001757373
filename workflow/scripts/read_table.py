"""Read a table of scores or curves."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.runs.sources.score_tables.collect", compiled=False)
