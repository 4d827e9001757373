"""Write the index for searching the pages."""

from surefoot.reporting.site import make_search_index
from surefoot.workflow.runner import run

run(snakemake, make_search_index, compiled=False)
