"""The benchmark's program: its plain peers find our numbers (it asserts that itself), and its table has the columns."""

import importlib.util
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[3] / "benchmarks" / "intervals.py"


def test_the_small_benchmark_agrees_with_its_peers():
    spec = importlib.util.spec_from_file_location("statistics_benchmark", PROGRAM)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    table = program.measure(small=True)
    assert table.columns.tolist() == ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
    assert not table.duplicated(["work", "size", "threads"]).any()
    alone = table["work"] == "pbp_t, corrected"
    assert (table["ours"] > 0).all()
    assert (table.loc[~alone, ["peer", "ratio"]] > 0).all(axis=None) and table.loc[alone, "peer"].isna().all()
