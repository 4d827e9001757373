"""Folders that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The repository."""
TESTS = ROOT / "tests"
FIXTURES = TESTS / "fixtures"
"""Files that tools wrote."""
SHARED = ROOT.parent / "shared"
"""Data beside the repository. Tests that need them are skipped where there are none."""
