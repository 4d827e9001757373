"""Count the failures of a method in simulated studies."""

from surefoot.build.runner import run
from surefoot.questions.blocks import failures

run(snakemake, failures)
