"""Runs in the log folders of training tools, read as one tidy table of learning curves."""
