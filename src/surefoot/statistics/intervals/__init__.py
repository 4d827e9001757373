"""Intervals for the scores of the game, and bands for distributions: a catalogue, and a module for each method."""
