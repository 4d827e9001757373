"""Texts that a spreadsheet would run."""

import pandas as pd

from surefoot.cli.commands import main


def test_texts_that_a_spreadsheet_would_run_are_plain_in_a_csv(tmp_path):
    """Numbers stay numbers, also as names, and Parquet has names as they are."""
    header, rows = "algorithm,environment,run,score\n", "=cmd|'/C calc'!A0,@x,0,-1.5\n-5,@x,1,+2\n"
    (tmp_path / "runs.csv").write_text(header + rows)
    for ending in ("csv", "parquet"):
        assert main(["read", str(tmp_path / "runs.csv"), "-o", str(tmp_path / f"out.{ending}")]) == 0
    written = pd.read_csv(tmp_path / "out.csv", dtype=str).set_index("run")
    assert written["algorithm"].tolist() == ["-5", "'=cmd|'/C calc'!A0"] and set(written["environment"]) == {"'@x"}
    assert written["score"].tolist() == ["2.0", "-1.5"]
    assert set(pd.read_parquet(tmp_path / "out.parquet")["environment"]) == {"@x"}
