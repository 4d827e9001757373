"""Write the descriptions of all methods."""

from surefoot.build.runner import run
from surefoot.methods.descriptions import write

run(snakemake, write)
