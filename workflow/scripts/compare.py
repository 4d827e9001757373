"""Compare published numbers with ours."""

from surefoot.charts.study_tables import compare
from surefoot.workflow.runner import run

run(snakemake, compare)
