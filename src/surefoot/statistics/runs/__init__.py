"""Runs as arrays: samples of scores, order of runs, common scales, and effects shared by tasks."""
