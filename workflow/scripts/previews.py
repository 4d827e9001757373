"""Make the previews of all figures."""

from surefoot.reporting.previews import make_previews
from surefoot.workflow.runner import run

run(snakemake, make_previews, compiled=False)
