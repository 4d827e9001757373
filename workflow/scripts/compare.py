"""Compare published numbers with ours."""

from surefoot.build.runner import run
from surefoot.charts.study_tables import compare

run(snakemake, compare)
