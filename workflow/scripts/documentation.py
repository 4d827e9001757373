"""Render the documentation."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.reporting.render.make_documentation", compiled=False)
