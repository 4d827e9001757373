"""Checks of the catalogue of a paper: its drawings, its comparisons, and the labels of its published numbers."""

import pandas as pd
from support.paths import ROOT

from surefoot.charts.drawing import signature_of
from surefoot.charts.published_numbers import with_labels
from surefoot.reporting.page_source import read_source, texts
from surefoot.simulation.simulation_registry import ALGORITHMS, ENVIRONMENTS

_TITLES = {name: entry.title for entries in (ALGORITHMS, ENVIRONMENTS) for name, entry in entries.items()}


def drawings_of_pages(paper, *pages):
    """Return the names of the drawings of a paper that its pages read; these read no others."""
    reads = [name for page in pages for name in texts(read_source(ROOT / "reports" / page), {"study": paper})["reads"]]
    assert reads and all(name.startswith(f"draw/{paper}/") for name in reads)
    return {name.rpartition("/")[2] for name in reads}


def check_comparisons(catalogue):
    """Check that each comparison names a function and all tables that the function needs."""
    for comparisons in catalogue.COMPARISONS.values():
        for comparison in comparisons.values():
            signature = signature_of(comparison.function)
            assert set(signature.required) <= set(comparison.tables) <= {*signature.required, *signature.optional}


def check_labels(paper, catalogue):
    """Check that every shipped published number of a paper has a label of its own that a reader understands."""
    numbers = pd.read_csv(ROOT / "config" / "published" / f"{paper}.csv")
    table = with_labels(numbers, catalogue.LABELS, _TITLES | getattr(catalogue, "NAMES", {}), numbers)
    assert len(table) == len(numbers)
    assert table["label"].is_unique
    keys = table["label"].str.contains(r"[_/{}]|\b(?:claim|cdf)\b", regex=True)
    assert not keys.any(), table["label"][keys].tolist()[:5]
    assert table["label"].str.match(r"[A-Z0-9]|e-Greedy").all()
    assert table["label"].str.len().max() < 100
    assert (table["claim"] == table["item"].str.startswith("claim/")).all()
