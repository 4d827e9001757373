"""Answer a question of a study."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.workflow.answers.answer")
