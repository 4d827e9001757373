"""Draw the figures and tables of a study."""

from surefoot.build.runner import run
from surefoot.charts.draw import draw

run(snakemake, draw)
