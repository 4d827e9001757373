"""CSV as people write it."""

import re

import pandas as pd
import pytest
from support.read_folders import told
from support.score_tables import LONG, WANTED, read_scores
from support.write_logs import write_text


def test_lines_before_the_header_and_blanks_after_commas(tmp_path):
    path = tmp_path / "scores.csv"
    write_text(path, f"\ufeffsep=;\nalgo;env;seed;return\n{LONG}".replace(",", ";").replace(".", ","))
    assert read_scores(path) == read_scores(tmp_path) == WANTED
    write_text(path, f"algo,env,seed,return\n{LONG}".replace(",", ", "))
    assert read_scores(path) == WANTED


@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_columns_may_be_separated_by_other_signs(tmp_path, sign):
    path = tmp_path / "scores.csv"
    write_text(path, f"# a comment\nalgo,env,seed,return\n{LONG}".replace(",", sign))
    assert read_scores(path) == WANTED
    if sign == ";":
        write_text(path, f"algo;env;seed;return\n{LONG}".replace(",", sign).replace(".", ","))
        assert read_scores(path) == WANTED


def test_commas_that_may_stand_between_thousands_are_asked_about(tmp_path):
    """The hint has the call that reads them; other numbers of the file may tell."""
    path = tmp_path / "scores.csv"
    rows = "algo;env;seed;return\na;e;1;1,250\na;e;2;2,500\n"
    write_text(path, rows)
    said = told(path)
    assert "commas may be decimal signs or thousands separators, as in 1,250" in said
    call = re.search(r"Hint: (pandas.*?) treats", said)[1]
    eval(call, {"pandas": pd, "file": path, "other": tmp_path / "other.csv"})
    assert read_scores(tmp_path / "other.csv") == [("a", 1, 1.25), ("a", 2, 2.5)]
    write_text(path, f"{rows}a;e;3;0,5\n")
    assert read_scores(path)[:1] == [("a", 1, 1.25)]
