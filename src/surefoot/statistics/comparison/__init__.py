"""Comparisons of algorithms: improvement, differences, ranks, and sequential comparisons."""
