"""Write the index for searching the pages."""

from surefoot.workflow.runner import run

run(snakemake, "surefoot.reporting.site.make_search_index", compiled=False)
