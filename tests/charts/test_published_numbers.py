"""What published numbers are called: every shipped one by a text of its own, without the marks of a key."""

import importlib
from pathlib import Path

import pandas as pd
import pytest

from surefoot.charts.published_numbers import label, with_labels
from surefoot.simulation.registry import ALGORITHMS, ENVIRONMENTS

PUBLISHED = Path(__file__).parents[2] / "config" / "published"


def settings(algorithms, environments):
    return {
        "algorithm_titles": {name: entry.title for name, entry in algorithms.items()},
        "environment_titles": {name: entry.title for name, entry in environments.items()},
    }


def labels_of(paper):
    known = importlib.import_module(f"surefoot.papers.{paper}.catalogue")
    published = pd.read_csv(PUBLISHED / f"{paper}.csv")
    names = getattr(known, "NAMES", None)
    return with_labels(published, known.LABELS, settings(ALGORITHMS, ENVIRONMENTS), names, published)


@pytest.mark.parametrize("paper", ["agarwal2021", "jordan2020", "recht2018"])
def test_every_shipped_published_number_has_a_label_of_its_own(paper):
    table = labels_of(paper)
    assert len(table) == len(pd.read_csv(PUBLISHED / f"{paper}.csv"))
    assert table["label"].is_unique
    keys = table["label"].str.contains(r"[_/{}]|\b(?:claim|cdf)\b", regex=True)
    assert not keys.any(), table["label"][keys].tolist()[:5]
    assert table["label"].str.match(r"[A-Z0-9]|e-Greedy").all()
    assert table["label"].str.len().max() < 100
    assert (table["claim"] == table["item"].str.startswith("claim/")).all()


def test_the_longest_beginning_that_is_known_decides():
    labels = {"mean": "mean of {1}, {0}", "claim/best": "{0} is best", "claim": "something"}
    titles = {"q": "Q(λ)", "maze": "Maze"}
    assert label("mean/maze/q", labels, titles) == "Mean of Q(λ), Maze"
    assert label("claim/best/q", labels, titles) == "Q(λ) is best"
    assert label("claim/other_thing", labels, titles) == "Something"


def test_what_nobody_named_is_told_by_its_names():
    assert label("iqm/a_b/10000", {}, {}) == "IQM: a b, 10,000"
    assert label("time_to_goal", {}, {}) == "Time to goal"
