"""Render a page."""

from surefoot.build.runner import run
from surefoot.reporting.render import make_page

run(snakemake, make_page)
