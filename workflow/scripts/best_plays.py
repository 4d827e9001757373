"""Choose the runs of the best parameters of each agent."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.bayesian.sources.playing.collect_best")
