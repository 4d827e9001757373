"""Intervals for evaluation-game scores, and bands for distributions: a catalogue, and one module per method."""
