"""The home page's counts of published numbers: those of the record that its figures show, and which run they are of."""

from pathlib import Path

import pandas as pd
import pytest

from surefoot.charts.study_tables import LARGE, RECORDED, SMALL, table_verdicts
from surefoot.statistics.reproduction.comparison import VERDICTS, verdict_counts

ROOT = Path(__file__).parents[2]
STUDIES = [
    {"study": "castronovo2016", "title": "Bayesian", "label": "Castronovo", "claim": "It depends on the time."},
    {"study": "example", "title": "Example", "label": "Example", "claim": "Which is best?"},
]


def settings(*recorded):
    return {"studies": STUDIES, "recorded_studies": list(recorded)}


def of_study(table, study="castronovo2016"):
    return table.assign(study=study)


@pytest.fixture
def tables():
    published = pd.read_csv(ROOT / "config/published/castronovo2016.csv")
    record = pd.read_csv(ROOT / "reports/records/castronovo2016.csv", dtype={"reason": str, "configuration": str})
    small = record.head(10).assign(verdict=["reproduced"] * 2 + ["limited"] * 7 + ["differs"])
    return {"all_published": of_study(published), "all_records": of_study(record), "all_runs": of_study(small)}


def test_the_counts_are_first_those_of_the_record_then_those_of_this_run(tables):
    _, table = table_verdicts(tables, settings())
    assert table[["study", "run"]].to_numpy().tolist() == [
        ["castronovo2016", LARGE],
        ["castronovo2016", SMALL],
        ["example", ""],
    ]
    large, small, none = table.to_dict("records")
    assert (large["label"], none["claim"]) == ("Castronovo", "Which is best?")
    assert {verdict: large[verdict] for verdict in VERDICTS} == verdict_counts(tables["all_records"]["verdict"])
    assert (large["published"], large["not_judged"]) == (72, 0)
    assert [small[verdict] for verdict in VERDICTS] == [2, 0, 7, 1]
    assert (small["published"], small["not_judged"]) == (72, 62)
    assert all(pd.isna(none[name]) for name in ("published", *VERDICTS, "not_judged"))


def test_what_this_run_draws_from_a_record_of_published_scores_is_no_run(tables):
    del tables["all_records"]
    _, table = table_verdicts(tables, settings("castronovo2016"))
    assert table["run"].tolist() == [RECORDED, ""]
