"""Stand-in for Snakemake that does nothing."""
