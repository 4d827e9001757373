"""Tables of any study: counts of runs, the ledger of published numbers, and where the numbers of analyses come from."""

import pandas as pd

from surefoot.charts.study_tables import account_table, analyses_table, ledger, protocol_table, table_runs


def test_runs_are_counted_in_each_cell():
    cells = [("q", "maze"), ("q", "maze"), ("sarsa", "maze"), ("sarsa", "cliff")]
    runs = pd.DataFrame(cells, columns=["algorithm", "environment"])
    found = table_runs(runs, titles={"q": "Q(λ)"}, environment_titles={"cliff": "Cliff"})
    assert found.to_dict("records") == [
        {"environment": "maze", "Q(λ)": 2, "sarsa": 1},
        {"environment": "Cliff", "Q(λ)": 0, "sarsa": 1},
    ]


def test_the_ledger_begins_with_contradicted_claims():
    tables = {
        "one": pd.DataFrame({"item": ["Table 1: IQM", "claim"], "verdict": ["reproduced", "contradicted"]}),
        "two": pd.DataFrame({"item": ["mean"], "verdict": ["differs"]}),
    }
    studies = [{"study": name, "label": name.title(), "claim": "Ours is best."} for name in ("two", "one", "absent")]
    found = ledger(tables, studies=studies)
    assert found["verdict"].tolist() == ["contradicted", "differs", "reproduced"]
    assert found["address"].tolist() == ["one-claim", "two-mean", "one-table-1-iqm"]
    assert found["paper"].tolist() == ["One", "Two", "One"] and found["published"].isna().all()
    assert len(ledger(studies=studies)) == 0


def test_algorithms_with_one_value_share_a_row_of_the_protocol():
    protocol = {"kind": "eval", "logs": {"a": {"episodes": 10}, "b": {"episodes": 20}}}
    found = protocol_table(protocol=protocol, titles={"b": "B"})
    by_algorithms = found.groupby("what", sort=False)["algorithms"].agg(list)
    assert ["a", "B"] in by_algorithms.tolist() and ["all"] in by_algorithms.tolist()
    assert found["what"].iloc[-1] == "Not stated" and found["algorithms"].iloc[-1] == "all"


def test_runs_that_were_not_read_from_logs_have_no_account():
    found = account_table(pd.DataFrame({"algorithm": ["a"]}))
    assert list(found)[:2] == ["outcome", "meaning"] and found.empty


def test_numbers_of_this_run_have_no_day():
    found = analyses_table(analyses=[["iqm", None, 2000, None], ["median", "2026-01-31", 50_000, 10]])
    assert found["recorded"].isna().tolist() == [True, False]
    assert found["n_resamples"].tolist() == [2000, 50_000] and found["datasets"].isna().tolist() == [True, False]
