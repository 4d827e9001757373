"""The benchmarks' programs at a tenth of their size: they assert that their peers find our numbers, and their tables
have the columns of the page."""

import importlib.util

import pytest
from support.paths import ROOT

BENCHMARKS = ROOT / "benchmarks"


def program(name):
    """The module of a benchmark."""
    spec = importlib.util.spec_from_file_location(f"{name}_benchmark", BENCHMARKS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "works"),
    [
        ("intervals", {"payoffs", "PBP", "pbp_t, corrected", "coverage", "bootstrap"}),
        ("rliable", {"aggregate", "profile", "improvement"}),
    ],
)
def test_a_small_benchmark_measures_every_work(name, works):
    table = program(name).measure(small=True)
    assert table.columns.tolist() == ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
    assert not table.duplicated(["work", "size", "threads", "unit"]).any() and (table["ours"] > 0).all()
    assert works <= set(table["work"].str.split(":").str[0])
    # rliable is not installed here, and what is new has no peer.
    assert ((table["peer"] > 0) == ((name == "intervals") & (table["work"] != "pbp_t, corrected"))).all()


def test_the_bootstrap_is_compared_with_its_draws(monkeypatch):
    """One round, in which each number is a time."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    table = program("resampling").measure(small=True, rounds=1)
    assert table["work"].str.split(",").str[0].tolist() == ["four metrics", "game"]
    assert (table.drop(columns="work") > 0).all(axis=None)
