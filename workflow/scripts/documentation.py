"""Render the documentation."""

from surefoot.reporting.render import make_documentation
from surefoot.workflow.runner import run

run(snakemake, make_documentation, compiled=False)
