"""Draw the figures and tables of a study."""

from surefoot.charts.draw import draw
from surefoot.workflow.runner import run

run(snakemake, draw)
