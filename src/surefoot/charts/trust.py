"""How often each interval fails on simulated data whose truth is known, and what that adds up to."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.names import METHODS, METRIC_NAMES, spelt_out
from surefoot.charts.panel_rows import row_axis
from surefoot.charts.selection import METHOD_TITLES
from surefoot.charts.sentences import counted, counted_span, item
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.coverage.failure_rates import FAILS, HOLDS

PREFIX = "trust/"
SUBJECTS = {
    "payoff_limits": "Payoffs and scores",
    "metric_intervals": "Metrics",
    "difference_intervals": "Differences",
    "improvement_intervals": "P(X > Y)",
    "profile_bands": "Profiles",
    "curve_bands": "Learning curves",
    "run_effects": "Dependent tasks",
    "sequential_level": "Sequential comparison",
    "planning_band": "Planning",
}
"""What is studied, in the order of the page."""

_CLASSES = {
    "at or below": "#2166ac",
    "compatible with it": "#92c5de",
    "up to twice": "#fddbc7",
    "two to five times": "#ef8a62",
    "more than five times": "#b2182b",
}
"""Colours of failure rates beside the nominal one, from the promise kept to the promise broken."""
_DARK = ("at or below", "more than five times")
_CELL, _WIDE_CELL, _NARROW_CELL = (
    32,
    56,
    26,
)  # pixels: the width of a number, with numbers of tasks below, if they slant
_SPREAD = r"tasks differ (\S+) times as much as runs"
_SHORTER = "task spread \\1\N{MULTIPLICATION SIGN}"
"""In the names of kinds of data; a heading says it shorter."""
_GAP, _LETTER, _LEGEND = 14, 6.8, 585  # between panels, of a letter, and of the legend in one row


def worst_figure(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The highest failure rate over all kinds of data: a panel for each target, a row for each method, a column a size.

    A method counts as recommended where it is for all kinds of data.
    """
    subject = settings["subject"]
    numbers = tables[PREFIX + subject]
    places = ["target", "method", "runs", "tasks"]
    groups = numbers.groupby(places, sort=False, dropna=False)
    worst = numbers.loc[groups["failure_rate"].idxmax()]
    everywhere = _recommended(numbers).groupby([numbers[place] for place in places], dropna=False).transform("all")
    worst = worst.assign(recommended=everywhere[worst.index])
    worst = worst.assign(kinds_of_data=groups["data"].transform("nunique")[worst.index])
    description = f"{SUBJECTS[subject]}: {finding(numbers)}"
    return theme.finish(_chart(worst, _target_titles(worst["target"]), sizes(worst)), description), worst


def subject_figure(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """All failure rates of one subject: a panel for each kind of data and target."""
    subject = settings["subject"]
    numbers = tables[PREFIX + subject]
    description = f"{SUBJECTS[subject]}, each kind of data: {finding(numbers)}"
    several = numbers["target"].nunique() > 1
    kinds = numbers["data"].str.replace("_", " ").str.replace(_SPREAD, _SHORTER, regex=True)
    panels = _target_titles(numbers["target"]) + ": " + kinds if several else kinds
    return theme.finish(_chart(numbers, panels, sizes(numbers, True), narrow=True), description), numbers


def sizes(numbers: pd.DataFrame, unequal: bool = False) -> pd.Series:
    """Texts such as "10", or "10 x 26" where the numbers of tasks differ within the table.

    With `unequal` also "1 to 30 x 10" where tasks have as many runs: such a case is another one than "1 x 10", and both
    have a place of their own.
    """
    runs = numbers["runs"].map("{:g}".format)
    if unequal:
        runs = numbers["cell"].str.extract(r"(\d+ to \d+) runs of \d+ tasks", expand=False).fillna(runs)
    several = numbers["tasks"].nunique() > 1
    return runs + " \N{MULTIPLICATION SIGN} " + numbers["tasks"].map("{:g}".format) if several else runs


def method_titles(methods: pd.Series) -> pd.Series:
    """Methods as the pages call them."""
    known = METHODS | METHOD_TITLES
    return methods.map(lambda name: known.get(name, ", ".join(map(_spoken, name.split(", ")))))


def _spoken(key: str) -> str:
    """A key as it stands within a label."""
    title = METRIC_NAMES.get(key, key.replace("_", " "))
    return title if title.isupper() or key not in METRIC_NAMES else title.lower()


def _target_titles(targets: pd.Series) -> pd.Series:
    return targets.map(lambda name: METRIC_NAMES.get(name, name))


def _beside(numbers: pd.DataFrame) -> pd.Series:
    ratio = numbers["failure_rate"] / numbers["nominal"]
    texts = pd.cut(ratio, [-1.0, 2.0, 5.0, float("inf")], labels=["up to twice", "two to five times", _DARK[1]])
    texts = texts.astype(str).mask(numbers["outcome"] != FAILS, "compatible with it")
    return texts.mask(numbers["outcome"] == HOLDS, _DARK[0])


def _chart(numbers: pd.DataFrame, panels: pd.Series, size: pd.Series, narrow: bool = False) -> alt.TopLevelMixin:
    """Panels of cells, as many beside each other as the page has room for; `narrow` cells have room for their numbers
    alone, and names below them that are wider slant."""
    shown = numbers[["failure_rate", "nominal", "datasets", "width", "remark"]].assign(
        panel=panels,
        kind=numbers["data"].str.replace("_", " "),
        method=method_titles(numbers["method"]),
        remark=numbers["remark"].fillna("").map(spelt_out),
        size=size,
        beside=_beside(numbers),
        percent=(100 * numbers["failure_rate"]).map(lambda value: f"{value:.0f}" if value >= 10 else f"{value:.2g}"),
        recommended=_recommended(numbers),
    )
    columns = list(dict.fromkeys(shown.loc[numbers.sort_values(["tasks", "runs"]).index, "size"]))
    methods = list(dict.fromkeys(shown["method"]))
    title = "runs \N{MULTIPLICATION SIGN} tasks" if numbers["tasks"].nunique() > 1 else "runs"
    bare: dict[str, Any] = {"ticks": False, "domain": False}
    step = _CELL if title == "runs" else _NARROW_CELL if narrow else _WIDE_CELL
    slanting = narrow and max(map(len, columns)) * _LETTER > step
    x = alt.X("size:N", title=title, sort=columns, axis=alt.Axis(labelAngle=-45 if slanting else 0, **bare))
    y = alt.Y("method:N", title=None, sort=methods, axis=row_axis(labelLimit=2 * theme.LABEL))
    names = _LETTER * max(map(len, methods)) + _GAP
    colours = alt.Scale(domain=list(_CLASSES), range=list(_CLASSES.values()))
    legend = alt.Legend(
        orient="top",
        title="failure rate, relative to the nominal rate",
        columns=5 if theme.WIDTH - names >= _LEGEND else 3,
        symbolType="square",
        titleLimit=300,
    )
    tooltip = [
        alt.Tooltip("method:N"),
        alt.Tooltip("kind:N", title="data"),
        alt.Tooltip("size:N", title=title),
        alt.Tooltip("failure_rate:Q", title="failure rate", format=".3~f"),
        alt.Tooltip("nominal:Q", title="nominal", format=".3~f"),
        alt.Tooltip("datasets:Q", title="data sets", format=","),
        alt.Tooltip("width:Q", title="mean width", format=".3~g"),
        alt.Tooltip("remark:N"),
    ]
    base = alt.Chart(shown).encode(x=x, y=y)
    cells = base.mark_rect(stroke="white", strokeWidth=1).encode(
        color=alt.Color("beside:N", scale=colours, legend=legend), tooltip=tooltip
    )
    chosen = base.transform_filter("datum.recommended").mark_rect(filled=False, stroke=theme.INK, strokeWidth=1.5)
    dark = alt.FieldOneOfPredicate(field="beside", oneOf=list(_DARK))
    texts = base.mark_text(fontSize=theme.TEXT).encode(
        text="percent:N", color=alt.condition(dark, alt.value("white"), alt.value(theme.INK))
    )
    panel = alt.layer(cells, chosen, texts).properties(width=alt.Step(step), height=alt.Step(18))
    several = shown["panel"].nunique() > 1
    per_row = max(1, int((theme.WIDTH - names) // (step * len(columns) + _GAP))) if several else 1
    header = alt.Header(labelExpr=theme.in_lines("datum.label", theme.WIDTH if per_row == 1 else step * len(columns)))
    facet = alt.Facet("panel:N", title=None, sort=list(dict.fromkeys(shown["panel"])), header=header)
    # Below each other, panels need not share their rows: a target may have methods of its own. What the columns are
    # stands below each panel: the last one is far from the first.
    chart = panel.facet(facet, columns=per_row, spacing=_GAP).resolve_axis(x="independent" if several else "shared")
    return chart.resolve_scale(y="independent" if per_row == 1 else "shared")


def finding(numbers: pd.DataFrame) -> str:
    """What a subject's table says of the methods where they are recommended and elsewhere, in one sentence."""
    recommended = _recommended(numbers)
    ours, others = numbers[recommended], numbers[~recommended]
    if ours.empty:
        return f"Failures: {_detected(others)}; none is recommended."
    told = f"Failures: {_failing(ours) or 'none'} of {counted(len(ours), 'recommended case')}"
    return f"{told}, {_failing(others) or 'none'} of {counted(len(others), 'other')}." if len(others) else f"{told}."


def _detected(numbers: pd.DataFrame) -> str:
    return f"{_failing(numbers) or 'none'} of {counted(len(numbers), 'case')}"


def table_methods(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How each method of each subject does over its cases.

    Returns
    -------
    columns subject, title, method, recommended (in how many cases), cases, failing (cases whose rate exceeds the
    promised one beyond the error of the simulation), worst (rate), worst_case, fewest_runs (from which number of runs
    on no case fails; empty where none of those tried is enough)
    """
    rows = []
    for subject, numbers in _tables(tables).items():
        for method, part in numbers.groupby("method", sort=False):
            fails = part["outcome"] == FAILS
            worst = part.loc[part["failure_rate"].idxmax()]
            enough = part["runs"][part["runs"] > part["runs"][fails].max()] if fails.any() else part["runs"]
            row = {"subject": subject, "title": SUBJECTS[subject], "method": method_titles(pd.Series([method]))[0]}
            row |= {"recommended": len(_promised(part)), "cases": len(part)}
            row |= {"failing": int(fails.sum()), "worst": worst["failure_rate"], "worst_case": worst["cell"]}
            rows.append(row | {"fewest_runs": enough.min()})
    return None, pd.DataFrame(rows)


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Counts for the page: columns item, text, value.

    cases, failing : of recommended methods without a remark
    student, percentile : "n of m" cases of metrics that fail, of the method student where it has no remark, and of the
        percentile bootstrap in the same cases
    remarked : the highest failure rate of the method student where it has a remark
    datasets : how many there are of each case
    title/<subject> : `finding`
    """
    found = _tables(tables)
    ours = pd.concat([_promised(numbers) for numbers in found.values()], ignore_index=True)
    metrics = found["metric_intervals"]
    student = _promised(metrics)
    remarked = metrics.loc[(metrics["method"] == "student") & (metrics["remark"] != ""), "failure_rate"].max()
    percentile = metrics[metrics["method"] == "percentile"].merge(student[["cell", "target"]])
    rows = [
        _count("cases", len(ours)),
        _count("failing", _failing(ours)),
        item("student", f"{_failing(student)} of {len(student)}", _failing(student)),
        item("percentile", f"{_failing(percentile)} of {len(percentile)}", _failing(percentile)),
        item("remarked", f"{written(100 * remarked, '.0f')} %", remarked),
        item("datasets", counted_span(pd.concat([numbers["datasets"] for numbers in found.values()]), "data set")),
    ]
    for subject, numbers in found.items():
        rows.append(item(f"title/{subject}", finding(numbers)))
    return None, pd.DataFrame(rows)


def _promised(numbers: pd.DataFrame) -> pd.DataFrame:
    """The cases in which a method is recommended without a remark."""
    return numbers[_recommended(numbers)]


def _recommended(numbers: pd.DataFrame) -> pd.Series:
    return numbers["recommended"].astype(bool) & (numbers["remark"] == "")


def _count(name: str, number: int) -> dict[str, Any]:
    return item(name, f"{number:,}", number)


def _failing(numbers: pd.DataFrame) -> int:
    return int((numbers["outcome"] == FAILS).sum())


def _tables(tables: Tables) -> dict[str, pd.DataFrame]:
    return {name: tables[PREFIX + name] for name in SUBJECTS if PREFIX + name in tables}
