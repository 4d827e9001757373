"""Write the index for searching the pages."""

from surefoot.build.runner import run
from surefoot.reporting.site import make_search_index

run(snakemake, make_search_index)
