"""Folders that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The repository."""
TESTS = ROOT / "tests"
FIXTURES = TESTS / "fixtures"
"""Files that tools wrote."""
SHARED = ROOT.parent / "shared"
"""Data next to the repository. Tests that need the data are skipped if the folder does not exist."""
