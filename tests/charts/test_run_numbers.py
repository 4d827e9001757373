"""Figures and sentences of the page that says how many runs are needed, from a small study."""

import re

import pandas as pd
import pytest
from support.drawings import made
from support.run_number_tables import SETTINGS, run_number_tables

from surefoot.charts import run_numbers
from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.rounding import joined
from surefoot.runs.scales.min_max import MinMax


@pytest.fixture(scope="module")
def tables():
    return run_number_tables()


def drawn(name, tables, **facts):
    return made(CATALOGUE["how_many_runs"][name], tables, SETTINGS | facts)


@pytest.mark.parametrize("name", CATALOGUE["how_many_runs"])
def test_everything_is_drawn(tables, name):
    chart, numbers = drawn(name, tables)
    assert len(numbers)
    assert (chart is None) == (CATALOGUE["how_many_runs"][name].kind == "table")


def test_the_findings_say_what_the_numbers_say(tables):
    numbers = tables["numbers/plan_runs"]
    said = run_numbers.plan_runs_finding(numbers)
    first = numbers[(numbers["quantity"] == "width") & (numbers["metric"] == "iqm")].set_index("runs")["estimate"]
    assert f"would be {first[3]:.3f} wide with 3 runs per task" in said
    _, needed = drawn("how_many_runs_needed", tables)
    chances = numbers[(numbers["quantity"] == "chance") & (numbers["lift_percent"] == 25)]
    iqm = chances[chances["metric"] == "iqm"].set_index("runs")
    least, greatest = (iqm.index[iqm[end] >= 0.8].min() for end in ("inner_high", "inner_low"))
    row = needed.set_index(["metric", "lift"]).loc[("IQM", 25.0)]
    assert f"{greatest}" in row["runs"] and (f"{least}" in row["runs"] or least == min(iqm.index))
    assert "If the spread of the pilot is the true one, detecting a higher IQM with 80 % power takes " in said
    lifts = needed[needed["metric"] == "IQM"].sort_values("lift")
    of_lift = "if scores are" if lifts["lift"].iloc[0] == 25 else "if they are"
    assert re.search(rf"\b{row['runs']} (fresh runs per task )?{of_lift} 25 % higher", said)
    worst = f"Allowing for the uncertainty of the pilot, it takes at worst {joined(list(lifts['most']))}."
    assert (worst in said) == (lifts["most"] != lifts["runs"]).any()
    alarms = tables["numbers/false_alarm_rates"]
    last = alarms.query("round == 20").set_index("method")["cumulative_rate"]
    told = run_numbers.false_alarm_rates_finding(alarms)
    assert f"a difference in {100 * last['percentile']:.1f} ±" in told


@pytest.mark.parametrize(
    ("chances", "runs"),
    [
        ((0.2, 0.5, 0.9), "10"),
        ((0.2, 0.78, 0.95), "5 to 10"),
        ((0.79, 0.95, 0.99), "at most 5"),
        ((0.9, 0.95, 0.99), "at most 3"),
        ((0.1, 0.2, 0.81), "10 or more"),
        ((0.1, 0.2, 0.3), "more than 10"),
    ],
)
def test_no_undecided_number_of_runs_is_stated(tables, chances, runs):
    """A chance of 80 %, each known to 4 percentage points."""
    rows = [
        {
            "algorithm": "q",
            "metric": "iqm",
            "quantity": "chance",
            "lift_percent": 10.0,
            "runs": size,
            "estimate": chance,
        }
        | {"inner_low": chance - 0.04, "inner_high": chance + 0.04, "low": chance - 0.05, "high": chance + 0.05}
        for size, chance in zip((3, 5, 10), chances, strict=True)
    ]
    _, needed = drawn("how_many_runs_needed", tables | {"numbers/plan_runs": pd.DataFrame(rows)})
    assert needed["runs"].tolist() == [runs]
    without_width = [*rows, {"algorithm": "q", "metric": "iqm", "quantity": "width", "runs": 3, "estimate": 0.0}]
    assert drawn("how_many_runs_needed", tables | {"numbers/plan_runs": pd.DataFrame(without_width)})[1].empty


def test_the_page_has_the_pilot(tables):
    (pilot,) = drawn("how_many_runs", tables, alarms_recorded="2026-01-02")[1].to_dict("records")
    assert (pilot["title"], pilot["tasks"], pilot["pilot_low"], pilot["pilot_high"]) == ("Q(λ)", 4, 25, 25)
    assert (pilot["scale"], pilot["datasets"], pilot["n_resamples"]) == (MinMax.phrase, 20, 60)
    assert pilot["recorded"] == "2026-01-02"


def test_a_comparison_says_when_it_decided(tables):
    looks = tables["numbers/sequential_comparison"]
    first = looks.loc[looks["decided"], "round"].min()
    said = run_numbers.sequential_comparison_finding
    assert f"Decided after {first} runs per task" in said(looks)
    assert said(looks[looks["round"] < first]).startswith(f"Not decided after {first - 1} runs per task")


def test_nothing_is_said_of_what_was_not_compared(tables):
    alone = {key: table for key, table in tables.items() if key == "numbers/plan_runs"}
    assert (drawn("how_many_runs", alone)[1]["recorded"] == "").all()
    for name in ("sequential", "false_alarms", "false_alarms_record"):
        chart, numbers = drawn(name, alone)
        assert chart is not None and numbers.empty
