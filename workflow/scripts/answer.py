"""Answer a question of a study."""

from surefoot.build.runner import run
from surefoot.questions.answers import answer

run(snakemake, answer)
