"""Read a table of scores or curves."""

from surefoot.build.runner import run
from surefoot.sources.score_tables import collect

run(snakemake, collect)
