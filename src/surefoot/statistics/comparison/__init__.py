"""Algorithms beside one another: improvement, differences, ranks, and comparisons that go on."""
