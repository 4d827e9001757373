"""Draw the figures and tables of a study."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.charts.draw.draw")
