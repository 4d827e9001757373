"""Stands in for Snakemake and does nothing."""
