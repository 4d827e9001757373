"""The page of trust is drawn from the records that the project keeps."""

import pytest
import vl_convert

from surefoot.charts import trust
from surefoot.charts.drawing import TRUST_SUBJECTS
from surefoot.runs.result_tables import read_table
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.workflow.planning.drawing_jobs import TRUST_RECORDS

CASES = {subject: read_table(TRUST_RECORDS / f"{subject}.csv") for subject in TRUST_SUBJECTS}
_PAYOFFS = CASES["payoff_limits"]
CASES["payoff_limits"] = _PAYOFFS[_PAYOFFS["method"].isin(INTERVAL_METHODS)]
DRAWN = read_table(TRUST_RECORDS / "drawn_kinds.csv")


def test_rates_are_those_of_all_data_sets_of_the_record():
    table = trust.figure_pooled_numbers(DRAWN)
    record = DRAWN
    assert len(table) == len(record.drop_duplicates(["target", "method", "runs"]))
    rows = record[(record["target"] == "iqm") & (record["method"] == "percentile") & (record["runs"] == 3)]
    drawn = table.set_index(["target", "method", "runs"]).loc["iqm", "percentile", 3]
    assert drawn["datasets"] == rows["datasets"].sum() and drawn["low"] < drawn["failure_rate"] < drawn["high"]
    assert drawn["failure_rate"] == pytest.approx(rows["failures"].sum() / rows["datasets"].sum())
    # A row for each interval in each panel, the most asked first, and each with its recommended one first.
    names = list(dict.fromkeys(table["target"] + " " + table["method"]))
    assert names[:2] == ["iqm student", "iqm percentile"]
    assert vl_convert.vegalite_to_svg(trust.figure_pooled(DRAWN).to_dict()).count(">IQM: ") == 2
    assert set(trust.misses_numbers(DRAWN)["target"]) == {"iqm"}
    assert f"{100 * drawn['failure_rate']:.0f} % of studies" in trust.misses(DRAWN).to_dict()["usermeta"]["finding"]


def test_what_is_looked_up_is_the_rate_of_these_runs_and_tasks():
    table = trust.table_lookup(DRAWN)
    record = DRAWN
    found = table.set_index(["interval", "runs"]).loc[("IQM, 10 to 26 tasks", "5 runs")]
    rows = record[(record["target"] == "iqm") & (record["runs"] == 5) & record["tasks"].isin([10, 26])]
    for method, column in (("student", "failure_rate"), ("percentile", "usual")):
        part = rows[rows["method"] == method]
        assert found[column] == pytest.approx(part["failures"].sum() / part["datasets"].sum())
    assert set(table["method"]) >= {"student", "simultaneous"} and "percentile" not in set(table["method"])
    assert not table.duplicated(["interval", "runs"]).any() and table["interval"].iloc[0] == "IQM, 1 task"


def test_the_table_of_methods_has_every_case():
    methods = trust.table_methods(CASES)
    assert methods["cases"].sum() == sum(map(len, CASES.values()))
