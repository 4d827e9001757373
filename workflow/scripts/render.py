"""Render a page."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.reporting.render.make_page", compiled=False)
