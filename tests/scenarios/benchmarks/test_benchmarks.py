"""The benchmarks' programs at a tenth of their size: they assert that their peers find our numbers, and their tables
have the columns of the page."""

import importlib.util

import pytest
from support.paths import ROOT

BENCHMARKS = ROOT / "benchmarks"


@pytest.mark.parametrize(
    ("name", "works"),
    [
        ("intervals", {"payoffs", "PBP", "pbp_t, corrected", "coverage", "bootstrap"}),
        ("rliable", {"aggregate", "profile", "improvement"}),
    ],
)
def test_a_small_benchmark_measures_every_work(name, works):
    spec = importlib.util.spec_from_file_location(f"{name}_benchmark", BENCHMARKS / f"{name}.py")
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    table = program.measure(small=True)
    assert table.columns.tolist() == ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
    assert not table.duplicated(["work", "size", "threads", "unit"]).any() and (table["ours"] > 0).all()
    assert works <= set(table["work"].str.split(":").str[0])
    # rliable is not installed here, and what is new has no peer.
    assert ((table["peer"] > 0) == ((name == "intervals") & (table["work"] != "pbp_t, corrected"))).all()
