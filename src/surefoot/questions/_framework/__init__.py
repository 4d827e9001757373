"""The machinery of questions: their registry, sections, types, checks and calls."""
