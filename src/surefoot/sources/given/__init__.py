"""Runs as people have them at hand: tables, arrays and dicts of both, read and checked."""
