"""Render the documentation."""

from surefoot.build.runner import run
from surefoot.reporting.render import make_documentation

run(snakemake, make_documentation)
