"""Convert a published table, which is downloaded if necessary."""

from surefoot.build.runner import run
from surefoot.sources.published.collecting import collect

run(snakemake, collect)
