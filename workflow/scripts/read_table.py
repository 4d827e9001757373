"""Read a table of scores or curves."""

from surefoot.runs.sources.score_tables import collect
from surefoot.workflow.runner import run

run(snakemake, collect, compiled=False)
