"""The page of trust is drawn from the records that the project keeps."""

import re
from pathlib import Path

import pandas as pd
import pytest
import vl_convert

from surefoot.charts import trust
from surefoot.charts.catalogue import CATALOGUE
from surefoot.pipeline.trust_jobs import RECORDS
from surefoot.result_tables import read_table
from surefoot.statistics.profiles.curve_bands import curve_remark
from surefoot.statistics.resampling.interval_remarks import improvement_remark, metric_remark

TABLES = {f"trust/{path.stem}": read_table(path) for path in RECORDS.glob("*.csv") if path.stem != "record"}


@pytest.mark.parametrize("name", [name for name in CATALOGUE["trust"] if name.startswith("figure_")])
def test_every_figure_is_drawn_from_its_record(name):
    drawing = CATALOGUE["trust"][name]
    function = getattr(trust, drawing.function.partition(":")[2])
    chart, numbers = function(TABLES, dict(drawing.setting))
    assert len(numbers) and Path(f"{drawing.needs[0]}.csv").name[:-4] in drawing.setting["subject"]
    assert vl_convert.vegalite_to_svg(chart.to_dict()).count("<text") > 5


@pytest.mark.parametrize("subject", ["profile_bands", "metric_intervals", "curve_bands"])
def test_no_two_numbers_of_all_data_stand_in_one_place_and_headings_are_whole(subject):
    chart, numbers = trust.subject_figure(TABLES, {"subject": subject})
    drawn = chart.to_dict()
    rows = drawn["datasets"][drawn["data"]["name"]]
    assert len({(row["panel"], row["method"], row["size"]) for row in rows}) == len(rows) == len(numbers)
    picture = vl_convert.vegalite_to_svg(drawn)
    assert "…" not in picture
    # What the columns are stands below each panel.
    assert picture.count(">runs \N{MULTIPLICATION SIGN} tasks<") == len({row["panel"] for row in rows})


def test_the_records_remark_in_the_words_of_today():
    """Numbers apart: a record keeps the words of the day on which it was made."""
    sizes = [[runs] * tasks for runs in (2, 3, 5, 10, 30) for tasks in (1, 10)]
    methods = TABLES["trust/metric_intervals"]["method"].unique()
    said = {metric_remark(method, "mean", runs, degrees=4) for method in methods for runs in sizes}
    said |= {metric_remark("student", "median", [5] * 10, degrees=40)}
    said |= {improvement_remark(runs, 0.5) for runs in sizes}
    said |= {curve_remark(runs, "iqm", band) for runs in (3, 10) for band in ("pointwise", "simultaneous")}
    known = {re.sub(r"[\d.]+", "#", remark) for remark in said} - {""}
    for subject in ("metric_intervals", "difference_intervals", "improvement_intervals", "curve_bands"):
        remarks = TABLES[f"trust/{subject}"]["remark"]
        assert {re.sub(r"[\d.]+", "#", remark) for remark in remarks if remark} <= known


def test_a_title_counts_where_intervals_are_recommended_and_elsewhere():
    table = pd.DataFrame({"recommended": [True, True, True, False], "remark": ["", "", "few", ""]})
    failing = table.assign(outcome=["holds", "fails", "fails", "holds"])
    assert trust.finding(failing) == "Failures: 1 of 2 recommended cases, 1 of 2 others."
    alone = failing.assign(recommended=False, outcome="holds")
    assert trust.finding(alone) == "Failures: none of 4 cases; none is recommended."


def test_the_counts_are_of_recommended_intervals_without_a_remark():
    _, rows = trust.verdict(TABLES, {})
    values = rows.set_index("item")["value"]
    ours = [table[table["recommended"].astype(bool) & (table["remark"] == "")] for table in TABLES.values()]
    assert values["cases"] == sum(map(len, ours)) > 100
    assert values["failing"] == sum((table["outcome"] == "fails").sum() for table in ours)
    texts = rows.set_index("item")["text"]
    payoffs = TABLES["trust/payoff_limits"]
    promised = int((payoffs["recommended"].astype(bool) & (payoffs["remark"] == "")).sum())
    kept = f"Failures: none of {promised} recommended cases,"
    assert texts["title/payoff_limits"].startswith(kept)
    assert texts["datasets"] == "20 to 200 data sets"
    _, methods = trust.table_methods(TABLES, {})
    assert methods["cases"].sum() == sum(map(len, TABLES.values()))
