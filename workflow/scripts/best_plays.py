"""Choose the runs of the best parameters of each agent."""

from surefoot.build.runner import run
from surefoot.sources.playing import collect_best

run(snakemake, collect_best)
