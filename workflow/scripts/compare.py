"""Compare published numbers with ours."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.charts.study_tables.compare")
