"""Collect the plays of all agents in one table."""

from surefoot.build.runner import run
from surefoot.sources.playing import collect_plays

run(snakemake, collect_plays)
