"""Let Bayesian agents play."""

from surefoot.build.runner import run
from surefoot.sources.playing import play

run(snakemake, play)
