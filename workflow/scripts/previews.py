"""Make the previews of all figures."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.reporting.previews.make_previews", compiled=False)
