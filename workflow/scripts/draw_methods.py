"""Write the tables that describe all methods."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.reporting.descriptions.write", compiled=False)
