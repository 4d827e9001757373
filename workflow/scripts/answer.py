"""Answer a question of a study."""

from surefoot.workflow.answers import answer
from surefoot.workflow.runner import run

run(snakemake, answer)
