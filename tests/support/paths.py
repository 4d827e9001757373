"""Folders that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The repository."""
TESTS = ROOT / "tests"
FIXTURES = TESTS / "fixtures"
"""Files that tools wrote."""
SWEEP = FIXTURES / "hydra_sweep"
"""A multirun of hydra-core 1.3.8: two learning rates, two entropies, two environments and two seeds."""
SHARED = ROOT.parent / "shared"
"""Data next to the repository. Tests that need the data are skipped if the folder does not exist."""
