"""The page of trust is drawn from the records that the project keeps."""

import re

import numpy as np
import pytest
import vl_convert

from surefoot.charts import trust
from surefoot.charts.catalogue import CATALOGUE
from surefoot.charts.pictures import pictures
from surefoot.pipeline.trust_jobs import RECORDS
from surefoot.result_tables import read_table
from surefoot.statistics.profiles.curve_bands import curve_remark
from surefoot.statistics.resampling.interval_remarks import improvement_remark, metric_remark

TABLES = {f"trust/{subject}": read_table(RECORDS / f"{subject}.csv") for subject in trust.SUBJECTS}
"""Without the drawn kinds, which are summed up by quantiles; see `trust_kinds`."""


@pytest.mark.parametrize("name", [name for name in CATALOGUE["trust"] if name.startswith("figure_")])
def test_every_figure_is_drawn_from_its_record(name):
    drawing = CATALOGUE["trust"][name]
    function = getattr(trust, drawing.function.partition(":")[2])
    chart, numbers = function(TABLES, dict(drawing.setting or {}))
    assert len(numbers) and {*drawing.needs, *drawing.optional} <= set(TABLES)
    assert vl_convert.vegalite_to_svg(chart.to_dict()).count("<text") > 5


def _all_data(subject):
    return [
        (name, dict(drawing.setting))
        for name, drawing in CATALOGUE["trust"].items()
        if drawing.function.endswith(":subject_figure") and drawing.setting["subject"] == subject
    ]


@pytest.mark.parametrize("subject", trust.SUBJECTS)
def test_no_two_numbers_of_all_data_stand_in_one_place_and_headings_are_whole(subject):
    cases = 0
    for _, setting in _all_data(subject):
        chart, numbers = trust.subject_figure(TABLES, setting)
        drawn = chart.to_dict()
        (rows,) = drawn["datasets"].values()
        assert len({(row["panel"], row["row"], row["size"]) for row in rows}) == len(rows) == len(numbers)
        cases += len(numbers)
        picture = vl_convert.vegalite_to_svg(drawn)
        assert "\N{HORIZONTAL ELLIPSIS}" not in picture
        # What the columns are stands below each panel.
        title = "runs \N{MULTIPLICATION SIGN} tasks" if numbers["tasks"].nunique() > 1 else "runs"
        titles = re.findall(rf"role-axis-title[^>]*><text[^>]*>{title}</text>", picture)
        assert len(titles) == len({row["panel"] for row in rows})
    assert cases == len(TABLES[f"trust/{subject}"])  # no case is left out


def test_colours_say_what_was_tested_and_a_pointer_tells_percents_and_what_they_concern():
    table = TABLES["trust/metric_intervals"]
    table = table[table["target"] == "optimality_gap"]
    chart, _ = trust.subject_figure({"trust/metric_intervals": table}, {"subject": "metric_intervals"})
    (rows,) = chart.to_dict()["datasets"].values()
    outcomes = {"holds": "surely \N{LESS-THAN OR EQUAL TO} 1", "open": "perhaps 1"}
    for row, rate, outcome in zip(rows, table["failure_rate"], table["outcome"], strict=True):
        times = "1\N{EN DASH}2" if rate <= 0.1 else "2\N{EN DASH}5" if rate <= 0.25 else "> 5"
        assert row["beside"] == outcomes.get(outcome, f"fails, {times}") + "\N{MULTIPLICATION SIGN}"
        assert row["of"] == "Optimality gap" and row["promised"] == "5 %"
        assert row["rate"].endswith(" %") and float(row["rate"][:-2]) == pytest.approx(100 * rate, abs=0.05)


def test_classes_of_failure_rates_are_not_offered_as_algorithms():
    chart, _ = trust.worst_figure(TABLES, {"subject": "improvement_intervals"})
    _, fragment = pictures(chart.to_dict(), "failures")
    assert "data-names" not in fragment
    plain = chart.to_dict()
    del plain["usermeta"]
    assert 'data-names="' in pictures(plain, "failures")[1]


def test_the_first_figure_answers_from_how_many_runs_on_an_interval_holds():
    _, worst = trust.answer_figure(TABLES, {})
    metrics = TABLES["trust/metric_intervals"]
    of_iqm = metrics[(metrics["target"] == "iqm") & (metrics["tasks"] == 10)]
    for method in ("student", "percentile"):
        shown = worst[(worst["asked"] == "IQM") & (worst["method"] == method)].set_index("runs")["failure_rate"]
        every = of_iqm[of_iqm["method"] == method].groupby("runs")["failure_rate"].max()
        assert shown.to_dict() == every.to_dict()


def test_the_records_remark_in_the_words_of_today():
    """Numbers apart: a record keeps the words of the day on which it was made."""
    sizes = [[runs] * tasks for runs in (2, 3, 5, 10, 30) for tasks in (1, 10)]
    scores = [[np.arange(float(runs)) for runs in of_tasks] for of_tasks in sizes]
    shapes, metrics = [(4, 0.0), (40, 0.0), (40, 0.2)], ["iqm", "mean", "median"]
    methods = TABLES["trust/metric_intervals"]["method"].unique()
    said = {metric_remark(method, "mean", runs) for method in methods if method != "student" for runs in scores}
    said |= {metric_remark("student", name, runs, shape=of) for runs in scores for of in shapes for name in metrics}
    said |= {metric_remark("student", "iqm", [np.zeros(5)] * 10, shape=(40, 0.0), width=width) for width in (0.0, 1.0)}
    said |= {improvement_remark(runs, 0.5) for runs in sizes}
    bands = ("pointwise", "simultaneous")
    said |= {curve_remark(runs, band, 0.5, name) for runs in (3, 10) for band in bands for name in ("iqm", "mean")}
    said |= {curve_remark(3, "simultaneous", np.nan, "mean"), curve_remark(3, "pointwise", 0.0, "mean")}
    known = {re.sub(r"[\d.]+", "#", remark) for remark in said} - {""}
    for subject in ("metric_intervals", "difference_intervals", "improvement_intervals", "curve_bands"):
        remarks = TABLES[f"trust/{subject}"]["remark"]
        assert {re.sub(r"[\d.]+", "#", remark) for remark in remarks if remark} <= known


def test_the_table_of_methods_has_every_case():
    _, methods = trust.table_methods(TABLES, {})
    assert methods["cases"].sum() == sum(map(len, TABLES.values()))
    assert methods["recommended"].sum() == sum(
        (table["recommended"].astype(bool) & (table["remark"] == "")).sum() for table in TABLES.values()
    )
