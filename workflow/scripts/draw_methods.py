"""Write the tables that describe all methods."""

from surefoot.reporting.descriptions import write
from surefoot.workflow.runner import run

run(snakemake, write, compiled=False)
