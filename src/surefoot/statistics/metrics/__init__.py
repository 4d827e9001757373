"""Metrics: one number for all scores of an algorithm (Agarwal et al. 2021), in a catalogue."""
