"""The program of the benchmark beside rliable, without rliable: its table has the columns and the works."""

import importlib.util
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[3] / "benchmarks" / "rliable.py"


def test_the_small_benchmark_measures_every_work():
    spec = importlib.util.spec_from_file_location("rliable_benchmark", PROGRAM)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    table = program.measure(small=True)
    assert table.columns.tolist() == ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
    assert not table.duplicated(["work", "size", "threads", "unit"]).any()
    assert set(table["work"].str.split(":").str[0]) == {"aggregate", "profile", "improvement"}
    assert set(zip(table["threads"], table["unit"], strict=True)) == {
        (t, u) for t in (1, 2) for u in ("CPU s", "wall s")
    }
    assert (table[["ours", "bound"]] > 0).all(axis=None) and table["peer"].isna().all()
