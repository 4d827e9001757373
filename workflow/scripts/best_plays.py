"""Choose the runs of the best parameters of each agent."""

from surefoot.bayesian.sources.playing import collect_best
from surefoot.workflow.runner import run

run(snakemake, collect_best)
