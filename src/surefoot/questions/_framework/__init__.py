"""Shared code of questions: their registry, sections, types, checks and calls."""
