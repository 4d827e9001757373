"""Render a page."""

from surefoot.reporting.render import make_page
from surefoot.workflow.runner import run

run(snakemake, make_page, compiled=False)
