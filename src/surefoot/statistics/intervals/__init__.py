"""Intervals for the scores of the game, and bands for distributions: a catalogue, and one module per method."""
