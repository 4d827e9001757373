"""How often each interval fails on simulated data whose truth is known: a figure a subject, and what they add up to."""

import math
from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.sentences import counted, counted_span, item
from surefoot.statistics.failure_rates import CONFIDENCE, FAILS, HOLDS

Tables = Mapping[str, pd.DataFrame]
PREFIX = "trust/"
SUBJECTS = {
    "payoff_limits": "Payoffs and aggregate scores",
    "metric_intervals": "Aggregate metrics",
    "improvement_intervals": "Probability of improvement",
    "profile_bands": "Performance profiles",
    "curve_bands": "Learning curves",
    "run_effects": "Metrics of dependent tasks",
    "sequential_level": "Comparison after every run",
    "planning_band": "Planning from a pilot",
}
"""What is studied, in the order of the page."""

_CLASSES = {
    "at or below": "#2166ac",
    "not told apart from it": "#92c5de",
    "up to twice": "#fddbc7",
    "two to five times": "#ef8a62",
    "more than five times": "#b2182b",
}
"""Colours of failure rates beside the nominal one, from the promise kept to the promise broken."""
_DARK = ("at or below", "more than five times")
_CELL = 44  # pixels, the width of a number


def subject_figure(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Failure rates of one subject: a panel for each kind of data and target, a row for each method, a column for each
    size."""
    subject = settings["subject"]
    numbers = tables[PREFIX + subject]
    data = numbers.assign(size=sizes(numbers), beside=_beside(numbers), panel=panels(numbers))
    data["percent"] = (100 * data["failure_rate"]).map("{:.3g}".format)
    description = f"{SUBJECTS[subject]}: {finding(numbers)}"
    return theme.finish(_chart(data, list(dict.fromkeys(data["size"]))), description), numbers


def sizes(numbers: pd.DataFrame) -> pd.Series:
    """Texts such as "10", or "10 x 26" where the numbers of tasks differ within the table."""
    runs = numbers["runs"].map(lambda value: "" if pd.isna(value) else str(value).removesuffix(".0"))
    if numbers["tasks"].nunique() < 2:
        return runs
    return runs + " x " + numbers["tasks"].map("{:.0f}".format)


def panels(numbers: pd.DataFrame) -> pd.Series:
    """Titles of panels: the kind of data, and what has to be covered where that differs within the table."""
    if numbers["target"].nunique() < 2:
        return numbers["data"]
    return numbers["target"] + ": " + numbers["data"]


def _beside(numbers):
    ratio = numbers["failure_rate"] / numbers["nominal"]
    texts = pd.cut(ratio, [-1.0, 2.0, 5.0, float("inf")], labels=["up to twice", "two to five times", _DARK[1]])
    texts = texts.astype(str).mask(numbers["outcome"] != FAILS, "not told apart from it")
    return texts.mask(numbers["outcome"] == HOLDS, _DARK[0])


def _chart(data, columns):
    shown = data[
        ["panel", "method", "size", "beside", "percent", "failure_rate", "nominal", "datasets", "width", "remark"]
    ].assign(recommended=data["recommended"].astype(bool))
    methods = list(dict.fromkeys(data["method"]))
    x = alt.X("size:N", title=None, sort=columns, axis=alt.Axis(labelAngle=0, ticks=False, domain=False))
    y = alt.Y("method:N", title=None, sort=methods, axis=alt.Axis(ticks=False, domain=False))
    legend = alt.Legend(orient="top", title="failure rate beside the nominal one", columns=5, symbolType="square")
    colours = alt.Scale(domain=list(_CLASSES), range=list(_CLASSES.values()))
    tooltip = [
        alt.Tooltip("method:N"),
        alt.Tooltip("size:N", title="runs"),
        alt.Tooltip("failure_rate:Q", title="failure rate", format=".3~f"),
        alt.Tooltip("nominal:Q", title="nominal", format=".3~f"),
        alt.Tooltip("datasets:Q", title="data sets", format=","),
        alt.Tooltip("width:Q", title="mean width", format=".3~g"),
        alt.Tooltip("recommended:N"),
        alt.Tooltip("remark:N"),
    ]
    base = alt.Chart(shown).encode(x=x, y=y)
    cells = base.mark_rect(stroke="white", strokeWidth=1).encode(
        color=alt.Color("beside:N", scale=colours, legend=legend), tooltip=tooltip
    )
    chosen = base.transform_filter("datum.recommended").mark_rect(
        filled=False, stroke=theme.INK, strokeWidth=2, cornerRadius=2
    )
    dark = alt.FieldOneOfPredicate(field="beside", oneOf=list(_DARK))
    texts = base.mark_text(fontSize=11).encode(
        text="percent:N", color=alt.condition(dark, alt.value("white"), alt.value(theme.INK))
    )
    panel = alt.layer(cells, chosen, texts).properties(width=alt.Step(_CELL), height=alt.Step(20))
    per_row = max(1, (theme.WIDTH - theme.LABEL) // (_CELL * len(columns) + theme.LABEL // 2))
    facet = alt.Facet("panel:N", title=None, sort=list(dict.fromkeys(data["panel"])))
    return panel.facet(facet, columns=per_row).resolve_scale(x="independent", y="shared")


def finding(numbers: pd.DataFrame) -> str:
    """What a subject's table says of the recommended methods and of the others, in one sentence."""
    recommended = numbers["recommended"].astype(bool)
    ours, others = numbers[recommended], numbers[~recommended]
    parts = []
    if len(ours):
        failing = _failing(ours)
        worst = f"its highest failure rate is {100 * ours['failure_rate'].max():.3g} %"
        cases = counted(len(ours), "case")
        kept = f"holds its level in all {cases}" if not failing else f"fails its level in {failing} of {cases}"
        parts.append(f"the recommended interval {kept}; {worst}")
    if len(others):
        failing = _failing(others)
        parts.append(f"the others fail theirs in {failing} of {counted(len(others), 'case')}")
    return "; ".join(parts) + "."


def table_methods(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """How each method of each subject does over its cases.

    Returns
    -------
    columns subject, title, method, recommended, cases, failing (cases whose rate exceeds the nominal one beyond the
    error of the simulation), worst (rate), worst_case, fewest_runs (from which number of runs on no case fails; empty
    where none is enough)
    """
    rows = []
    for subject, numbers in _tables(tables).items():
        for method, part in numbers.groupby("method", sort=False):
            fails = part["outcome"] == FAILS
            worst = part.loc[part["failure_rate"].idxmax()]
            rows.append(
                {
                    "subject": subject,
                    "title": SUBJECTS[subject],
                    "method": method,
                    "recommended": bool(part["recommended"].astype(bool).any()),
                    "cases": len(part),
                    "failing": int(fails.sum()),
                    "worst": worst["failure_rate"],
                    "worst_case": worst["cell"],
                    "fewest_runs": _fewest_runs(part, fails),
                }
            )
    return None, pd.DataFrame(rows)


def _fewest_runs(part, fails):
    runs = pd.to_numeric(part["runs"], errors="coerce")
    bad = runs[fails].max() if fails.any() else 0
    enough = runs[runs > bad]
    return "" if enough.empty else f"{enough.min():.0f}"


def verdict(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Counts for the page: columns item, text, value.

    cases, failing : of recommended methods; by_chance : how many of them would fail if each held its level exactly
    percentile : the same of the percentile bootstrap of metrics and of the probability of improvement, as "n of m"
    payoffs_cases, payoffs_failing : of the recommended limits of payoffs and scores
    made/<subject> : data sets of each case, and resamples of each
    """
    found = _tables(tables)
    everything = pd.concat(found.values(), ignore_index=True)
    recommended = everything["recommended"].astype(bool)
    ours, percentile = everything[recommended], everything[everything["method"] == "percentile"]
    payoffs = found["payoff_limits"]
    payoffs = payoffs[payoffs["recommended"].astype(bool)]
    chance = (1.0 - CONFIDENCE) / 2.0 * len(ours)
    rows = [
        _count("cases", len(ours)),
        _count("failing", _failing(ours)),
        item("by_chance", f"up to {math.ceil(chance)}", chance),
        item("percentile", f"{_failing(percentile)} of {len(percentile)}", _failing(percentile)),
        _count("payoffs_cases", len(payoffs)),
        _count("payoffs_failing", _failing(payoffs)),
    ]
    for subject, numbers in found.items():
        rows.append(item(f"made/{subject}", f"{counted_span(numbers['datasets'], 'simulated data set')} of each case."))
    return None, pd.DataFrame(rows)


def _count(name, number):
    return item(name, f"{number:,}", number)


def _failing(numbers):
    return int((numbers["outcome"] == FAILS).sum())


def _tables(tables: Tables) -> dict[str, pd.DataFrame]:
    return {name: tables[PREFIX + name] for name in SUBJECTS if PREFIX + name in tables}
