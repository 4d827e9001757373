"""Charts and tables of how often intervals miss in simulated data with known truth."""

import re
from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart
from surefoot.charts.drawing import TRUST_SUBJECTS
from surefoot.charts.forms import dashed_rule, row_chart
from surefoot.charts.names import METHODS, METRIC_NAMES
from surefoot.charts.selection import METHOD_TITLES
from surefoot.charts.theme import headline
from surefoot.statistics.coverage.failure_rates import FAILS, kind_quantiles, pooled_rate, shrunk_rates

METHOD_NAMES = {
    "percentile": "Percentile bootstrap",
    "student": "Student's interval",
}
_KIND_TITLES = {
    "iqm": "IQM",
    "iqm differences": "IQM difference",
    "P(X > Y)": "P(X > Y)",
    "whole profile": "Profile",
    "success rate": "Success rate",
    "mean": "Mean",
    "mean differences": "Mean difference",
    "optimality_gap": "Optimality gap",
    "median": "Median",
}
"""Titles of targets, in order of importance."""
_KIND_METHODS = METHODS | METHOD_TITLES | {"simultaneous": "simultaneous band"}
_OF_PLANS = {"runs to settle": "lift not detected with the planned runs (nominally 20 %)"}
"""Titles of parts of method names."""
_WORDS_OF_CASES = {
    r"^(\d+) (?=[a-z])": r"\1 algorithms, ",
    r"^(0\.\d+)(?=, \d+ (single|clusters))": r"rate \1",
    r"clusters of unlike sizes": "clusters of unequal sizes",
    r"runs of (\d+) settings": r"runs of each of \1 settings",
    r"runs of (\d+)(?: tasks)?(?=,|$)": r"runs on each of \1 tasks",
    r"\b(\d+ to 1)\b": r"odds of \1",
    r"thresholds (\d+)": r"\1 thresholds",
    r"each of 1 tasks": "1 task",
    r"\b1 (run|task|sample|threshold)s\b": r"1 \1",
}
"""Replacements of regular expressions, in this order, in names of simulated cases (the names are also keys)."""
_TASKS = {"1 task": (1, 1), "2 to 5 tasks": (2, 5), "10 to 26 tasks": (6, 26)}
"""Ranges of numbers of tasks in the lookup table."""


def pooled_misses(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return failure rates over all randomly drawn kinds of studies, by number of runs per task.

    numbers : table from `surefoot.validation.drawn_kinds`

    Returns
    -------
    columns target, method, runs, kinds, datasets, failure_rate, low, high (95 % limits), worst (the rate of the worst
    kind, by empirical Bayes)
    """
    rows = []
    for key, kinds in numbers.groupby(["target", "method", "runs"], sort=False):
        failures = kinds["failures"].to_numpy()
        datasets = kinds["datasets"].to_numpy()
        worst = shrunk_rates(failures, datasets).max()
        rows.append((*key, len(kinds), datasets.sum(), *pooled_rate(failures, datasets), worst))
    columns = ["target", "method", "runs", "kinds", "datasets", "failure_rate", "low", "high", "worst"]
    return pd.DataFrame(rows, columns=columns)


def misses_numbers(drawn_kinds: pd.DataFrame) -> pd.DataFrame:
    """Return the pooled failure rates of two kinds of intervals of the IQM."""
    table = pooled_misses(drawn_kinds)
    return table[(table["target"] == "iqm") & table["method"].isin(METHOD_NAMES)].reset_index(drop=True)


def misses(drawn_kinds: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw how often two kinds of intervals of the IQM miss, by number of runs, with the nominal rate."""
    table = misses_numbers(drawn_kinds)
    data = table.rename(columns={"method": "algorithm", "failure_rate": "estimate"})
    x = alt.X("runs:O", title="runs of each task", axis=alt.Axis(labelAngle=0), scale=alt.Scale(padding=0.35))
    y = alt.Y("estimate:Q", title="studies whose interval misses the truth", axis=alt.Axis(format="%"))
    columns = ["algorithm", "runs", "estimate", "low", "high"]
    curves = curve_chart(data[columns], METHOD_NAMES, x, y, height=230, among=["student", "percentile"])
    nominal = pd.DataFrame({"rate": [0.05], "label": ["nominal: 5 %"]})
    name = alt.Chart(nominal).mark_text(align="left", dy=10, dx=4, color=theme.NEUTRAL, fontSize=theme.TEXT)
    name = name.encode(x=alt.value(0), y="rate:Q", text="label:N")
    few = table[table["runs"] == table["runs"].min()].set_index("method")["failure_rate"]
    chart = alt.layer(dashed_rule(y=alt.datum(0.05)), name, curves)
    finding = (
        f"With {table['runs'].min()} runs, the usual 95 % interval misses the truth in "
        f"{100 * few['percentile']:.0f} % of studies, Student's in {100 * few['student']:.0f} %"
    )
    return theme.finish(headline(chart, finding), f"{finding}. Failure rates by the number of runs.")


def figure_pooled_numbers(drawn_kinds: pd.DataFrame) -> pd.DataFrame:
    """Return the pooled failure rates of every interval, the most important targets first."""
    return pooled_misses(drawn_kinds).sort_values("target", key=_places, kind="stable").reset_index(drop=True)


def figure_pooled(drawn_kinds: pd.DataFrame) -> alt.TopLevelMixin:
    """Draw the failure rate of every interval over randomly drawn kinds of studies, with a ring at the worst kind.

    There is one row per interval and one panel per number of runs.
    """
    table = figure_pooled_numbers(drawn_kinds)
    data = table.rename(columns={"failure_rate": "estimate"}).assign(
        title=table["target"].map(_KIND_TITLES) + ": " + table["method"].map(_method_title),
        panel=table["runs"].map("{:g} runs".format),
        published=table["worst"],  # position of the ring
        colour=np.where(table["method"] == "percentile", "#d7500f", theme.STRONG),
    )
    order = list(dict.fromkeys(data["title"]))
    columns = table["runs"].nunique()
    data = data.sort_values("runs", kind="stable")
    chart = row_chart(
        data,
        order,
        "share of intervals that miss the truth",
        columns=columns,
        shared=True,
        reference=0.05,
        ring="worst kind",
    )
    return theme.finish(chart, "Failure rates of all intervals, pooled over kinds of studies")


def table_lookup(drawn_kinds: pd.DataFrame) -> pd.DataFrame:
    """Tabulate how often the recommended interval misses, by numbers of runs and tasks.

    Returns
    -------
    columns target, interval (such as "IQM, 10 to 26 tasks"; over all tasks if the percentile bootstrap was not
    studied), method, runs (such as "3 runs"), failure_rate, usual (rate of the percentile bootstrap, or missing)
    """
    usually = drawn_kinds.loc[drawn_kinds["method"] == "percentile", "target"]
    compared = drawn_kinds["target"].isin(usually)
    chosen = {"": drawn_kinds[~compared]}
    for tasks, (fewest, most) in _TASKS.items():
        chosen[f", {tasks}"] = drawn_kinds[compared & drawn_kinds["tasks"].between(fewest, most)]
    parts = []
    for tasks, part in chosen.items():
        rates = pooled_misses(part)
        is_usual = rates["method"] == "percentile"
        usual = rates[is_usual].set_index(["target", "runs"])["failure_rate"].rename("usual")
        rates = rates[~is_usual].join(usual, on=["target", "runs"])
        parts.append(rates.assign(interval=rates["target"].map(_KIND_TITLES) + tasks))
    table = pd.concat(parts, ignore_index=True).sort_values(["target", "runs"], key=_places, kind="stable")
    table = table.assign(runs=table["runs"].map("{:g} runs".format))
    return table[["target", "interval", "method", "runs", "failure_rate", "usual"]].reset_index(drop=True)


def _places(column: pd.Series) -> pd.Series:
    """Return sort keys: the position in `_KIND_TITLES` for targets, and numbers unchanged."""
    return column.map(list(_KIND_TITLES).index) if column.name == "target" else column


def _method_title(method: str) -> str:
    """Return the title of a method on pages."""
    titles = METRIC_NAMES | _OF_PLANS
    return _KIND_METHODS.get(method, ", ".join(titles.get(key, key.replace("_", " ")) for key in method.split(", ")))


def table_methods(subjects: Mapping[str, pd.DataFrame] | None = None) -> pd.DataFrame:
    """Tabulate how often each method of each subject fails over its simulated cases.

    Parameters
    ----------
    subjects : failure rates by subject

    Returns
    -------
    columns title, method, cases, failing (cases whose rate exceeds the nominal one by more than simulation error),
    worst (rate), worst_case, fewest_runs (smallest number of runs such that no case with at least this number fails;
    missing if there is none among the numbers tried)
    """
    rows = []
    for subject, title in TRUST_SUBJECTS.items():
        if subjects is None or subject not in subjects:
            continue
        counted = subjects[subject]
        if subject == "payoff_limits":
            counted = counted[counted["method"].isin(METHOD_TITLES)]
        for method, cases in counted.groupby("method", sort=False):
            worst = cases.loc[cases["failure_rate"].idxmax()]
            failing = cases[cases["outcome"] == FAILS]
            enough = cases["runs"] if failing.empty else cases["runs"][cases["runs"] > failing["runs"].max()]
            row = {
                "title": title,
                "method": _method_title(method),
                "cases": len(cases),
                "failing": len(failing),
                "worst": worst["failure_rate"],
                "worst_case": _case_in_words(worst["cell"]),
                "fewest_runs": float(enough.min()),
            }
            rows.append(row)
    return pd.DataFrame(rows)


def _case_in_words(cell: str) -> str:
    """Return the name of a simulated case in words.

    Examples
    --------
    >>> _case_in_words("run_scores, normal, spread 3, 1 runs of 10 tasks, thresholds 51")
    'run scores, normal, spread 3, 1 run on each of 10 tasks, 51 thresholds'
    >>> _case_in_words("11 alike, 2 runs of 1")
    '11 algorithms, alike, 2 runs on 1 task'
    >>> _case_in_words("alike, 19 to 1, 5 runs of 1")
    'alike, odds of 19 to 1, 5 runs on 1 task'
    >>> _case_in_words("0.97, 10 single items, 1 samples")
    'rate 0.97, 10 single items, 1 sample'
    """
    text = cell.replace("_", " ")
    for pattern, words in _WORDS_OF_CASES.items():
        text = re.sub(pattern, words, text)
    return text


def table_kinds(drawn_kinds: pd.DataFrame, remarks: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the failure rates of each interval over all kinds of studies, with and without data sets with remarks.

    Rows with the remark "none" count only data sets without a remark, and only kinds that have such data sets. For
    Student's intervals of metrics, these counts come from the table of remarks: data sets whose tasks do not share
    runs, and whose only remark, if any, is that runs may be correlated. A record with outdated remarks has no counts,
    and therefore no row with "none".

    Returns
    -------
    columns target, method, title, method_title, remark ("none" or "any"), drawn (number of kinds), the fields of
    `kind_quantiles.KindQuantiles`, and datasets (largest number of data sets of a kind)
    """
    rows = []
    for (target, method), part in drawn_kinds.groupby(["target", "method"], sort=False):
        for remark in ("none", "any"):
            if remark == "none" and method == "student" and target in set(remarks["target"]):
                failures, datasets = _counts_of_independent(remarks, target)
            elif remark == "none" and part["failures_unremarked"].isna().any():
                continue
            else:
                failures, datasets = _counts(part, remark)
            names = {"target": target, "method": method, "title": _KIND_TITLES[target]}
            names |= {"method_title": _method_title(method), "remark": remark, "drawn": len(part)}
            quantiles = kind_quantiles(failures.to_numpy(), datasets.to_numpy())._asdict()
            rows.append(names | quantiles | {"datasets": int(part["datasets"].max())})
    return pd.DataFrame(rows)


def _counts(part: pd.DataFrame, remark: str) -> tuple[pd.Series, pd.Series]:
    """Return (failures, data sets) of each kind, for all data sets or only those without a remark."""
    if remark == "any":
        return part["failures"], part["datasets"]
    return part["failures_unremarked"], (part["datasets"] * (1.0 - part["remarked"])).round().astype(int)


def _counts_of_independent(record: pd.DataFrame, target: str) -> tuple[pd.Series, pd.Series]:
    """Return (failures, data sets) of each kind without shared runs, and with no remarks except on shared runs."""
    rows = record[(record["target"] == target) & ~record["shared"]]
    rows = rows[rows["method"].isin(["none", "runs may vary together"])]
    counts = rows.groupby("cell", sort=False)[["failures", "datasets"]].sum()
    return counts["failures"], counts["datasets"]


def table_remarks(remarks: pd.DataFrame) -> pd.DataFrame:
    """Tabulate how often Student's interval of each metric misses, by remark and whether tasks share runs.

    Returns
    -------
    columns target, title, remark, shared ("yes" if tasks share runs), kinds, datasets, failure_rate, failing (kinds
    whose failure rate is significantly above 5 %, adjusted for all kinds of the row), whole_runs (failure rate of the
    interval that treats a run on all tasks as one observation)
    """
    record = remarks.sort_values("target", key=_places, kind="stable")
    rows = []
    for (target, remark, shared), part in record.groupby(["target", "method", "shared"], sort=False):
        quantiles = kind_quantiles(part["failures"].to_numpy(), part["datasets"].to_numpy())
        total = part["datasets"].sum()
        rows.append(
            {
                "target": target,
                "title": _KIND_TITLES[target],
                "remark": remark,
                "shared": "yes" if shared else "no",
                "kinds": quantiles.kinds,
                "datasets": int(total),
                "failure_rate": part["failures"].sum() / total,
                "failing": quantiles.failing,
                "whole_runs": part["failures_whole_runs"].sum() / total,
            }
        )
    return pd.DataFrame(rows)
