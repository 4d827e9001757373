"""Runs read from the folders that training tools leave: one tidy table of learning curves, and scores of these."""
