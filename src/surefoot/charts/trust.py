"""How often each interval fails on simulated data whose truth is known, and what that adds up to."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.intervals import row_axis
from surefoot.charts.names import METHODS, METRIC_NAMES, spelt_out
from surefoot.charts.selection import METHOD_TITLES
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.coverage.failure_rates import FAILS, HOLDS
from surefoot.statistics.coverage.kind_quantiles import kind_quantiles, shrunk_rates, significant

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
    "surely \N{LESS-THAN OR EQUAL TO} 1\N{MULTIPLICATION SIGN}": "#2166ac",
    "perhaps 1\N{MULTIPLICATION SIGN}": "#92c5de",
    "fails, 1\N{EN DASH}2\N{MULTIPLICATION SIGN}": "#fddbc7",
    "fails, 2\N{EN DASH}5\N{MULTIPLICATION SIGN}": "#ef8a62",
    "fails, > 5\N{MULTIPLICATION SIGN}": "#b2182b",
}
"""Colours of failure rates beside the nominal one, from the promise kept to the promise broken: what a test can tell of
the rate, and where it is too high, how high it is."""
_HOLDS, _WITHIN, *_FAILING = _CLASSES
_DARK = (_HOLDS, _FAILING[-1])
_CELL, _NARROW_CELL, _ROW = 32, 26, 16  # pixels: the width of a number, beside many others, and the height of a line
_GAP, _LETTER = 14, 6.8  # between panels, and of a letter
_TASKS = 10  # in the figure that answers
_FEWEST, _MOST = 2, 30  # runs
_TIMES = " \N{MULTIPLICATION SIGN} "
_OTHERWISE_SAID = ", run scores$|, IQM$| bootstrap$"  # in the names of methods in the figure that answers
_SHORTER = {
    "_": "-",
    "nearly deterministic": "near-deterministic",
    "% failures": "% fail",
    "unequal numbers of runs": "unequal",
    "^alike, skewed, failures, tied, different$": "5 different",
    r"tasks differ (\S+) times as much as runs": "\\1\N{MULTIPLICATION SIGN}",
    ", thresholds 51$": "",
    r"thresholds (\d+)$": r"at \1",
    r"effect of runs (\S+) and (\S+)$": r"\1, \2",
    r"all tasks fail in (\S+) % of runs": r"\1 % fail",
}
"""In the names of kinds of data: patterns, and what stands in their place."""
_ASKED = (
    ("IQM", "metric_intervals", "iqm", ("student", "percentile")),
    ("Mean", "metric_intervals", "mean", ("student", "percentile")),
    ("Median", "metric_intervals", "median", ("student", "percentile")),
    ("Optimality gap", "metric_intervals", "optimality_gap", ("student", "percentile")),
    ("IQM difference", "difference_intervals", "iqm", ("student", "percentile")),
    ("P(X > Y)", "improvement_intervals", "P(X > Y)", ("placements", "percentile")),
    ("Profile", "profile_bands", "whole profile", ("simultaneous, run_scores",)),
    ("One threshold", "profile_bands", "one threshold", ("pointwise, run_scores",)),
    ("IQM curve", "curve_bands", "whole curve", ("simultaneous, iqm",)),
    ("One step", "curve_bands", "one step", ("pointwise, iqm",)),
    ("Payoff", "payoff_limits", "all payoffs", ("pbp_matchings",)),
    ("Score", "payoff_limits", "all scores", ("pbp_matchings", "bootstrap")),
)
"""What is asked most: what an interval is of, the subject, the target, and its methods, the recommended one first."""


def answer_figure(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The highest failure rate of the intervals that are asked for most, by number of runs: ten tasks, all data."""
    worst = _answers(tables)
    rows = worst["asked"] + ": " + method_titles(worst["method"]).str.replace(_OTHERWISE_SAID, "", regex=True)
    chart = _chart(worst, pd.Series("", worst.index), rows, worst["runs"].map("{:g}".format))
    return _finished(chart, "Failure rates by number of runs"), worst


def _answers(tables: Tables) -> pd.DataFrame:
    """The worst cases of `_ASKED`, with the column `asked`."""
    parts = []
    for asked, subject, target, methods in _ASKED:
        numbers = tables.get(PREFIX + subject)
        if numbers is None:
            continue
        part = numbers[(numbers["target"] == target) & numbers["runs"].between(_FEWEST, _MOST)]
        if _TASKS in set(part["tasks"]):
            part = part[part["tasks"] == _TASKS]
        for method in methods:
            parts.append(_worst(part[part["method"] == method]).assign(asked=asked))
    return pd.concat(parts, ignore_index=True)


def worst_figure(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The highest failure rate over all kinds of data: a panel for each target, a row for each method, a column a size.

    A method counts as recommended where it is for all kinds of data.
    """
    subject = settings["subject"]
    numbers = tables[PREFIX + subject]
    worst = _worst(numbers)
    description = f"{SUBJECTS[subject]}: failure rates of each method by number of runs"
    chart = _chart(worst, _target_titles(worst["target"]), method_titles(worst["method"]), sizes(worst))
    return _finished(chart, description), worst


def _worst(numbers: pd.DataFrame) -> pd.DataFrame:
    """The rows with the highest failure rate over all kinds of data, with the column `kinds_of_data`."""
    places = ["target", "method", "runs", "tasks"]
    groups = numbers.groupby(places, sort=False, dropna=False)
    worst = numbers.loc[groups["failure_rate"].idxmax()]
    everywhere = _recommended(numbers).groupby([numbers[place] for place in places], dropna=False).transform("all")
    worst = worst.assign(recommended=everywhere[worst.index])
    return worst.assign(kinds_of_data=groups["data"].transform("nunique")[worst.index])


def subject_figure(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """All failure rates of one subject, or of one `target` of it: a panel for each method, a row for each kind of
    data."""
    subject = settings["subject"]
    numbers = tables[PREFIX + subject]
    if target := settings.get("target"):
        numbers = numbers[numbers["target"] == target].reset_index(drop=True)
    description = f"{SUBJECTS[subject]}: failure rates with each kind of data"
    panels = method_titles(numbers["method"])
    if numbers.groupby("method")["target"].nunique().max() > 1:
        panels = _target_titles(numbers["target"]) + ": " + panels
    return _finished(_chart(numbers, panels, data_titles(numbers["data"]), sizes(numbers, True)), description), numbers


def data_titles(data: pd.Series) -> pd.Series:
    """Kinds of data as a row has room for them."""
    for pattern, shorter in _SHORTER.items():
        data = data.str.replace(pattern, shorter, regex=True)
    return data


def sizes(numbers: pd.DataFrame, unequal: bool = False) -> pd.Series:
    """Texts such as "10", or "10 x 26" where the numbers of tasks differ within the table.

    With `unequal` also "1-30 x 10" where tasks have as many runs: such a case is another one than "1 x 10", and both
    have a place of their own.
    """
    runs = numbers["runs"].map("{:g}".format)
    if unequal:
        ends = numbers["cell"].str.extract(r"(\d+) to (\d+) runs of \d+ tasks")
        runs = (ends[0] + "\N{EN DASH}" + ends[1]).fillna(runs)
    several = numbers["tasks"].nunique() > 1
    return runs + _TIMES + numbers["tasks"].map("{:g}".format) if several else runs


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


def _finished(chart: alt.TopLevelMixin, description: str) -> alt.TopLevelMixin:
    return theme.of_classes(theme.finish(chart, description))


def _beside(numbers: pd.DataFrame) -> pd.Series:
    ratio = numbers["failure_rate"] / numbers["nominal"]
    texts = pd.cut(ratio, [-1.0, 2.0, 5.0, float("inf")], labels=_FAILING)
    texts = texts.astype(str).mask(numbers["outcome"] != FAILS, _WITHIN)
    return texts.mask(numbers["outcome"] == HOLDS, _HOLDS)


def _percent(rate: float) -> str:
    """In whole percents, since the error of the simulation is larger; never 0 or 100 where it is not."""
    if 0 < rate < 0.01:
        return "<1"
    return ">99" if 0.99 < rate < 1 else written(rate, ".0%").removesuffix("%")


def _exactly(rate: float) -> str:
    """In percents as a pointer tells them, to a tenth."""
    return f"{written(100 * rate, '.1f').removesuffix('.0')} %"


def _chart(numbers: pd.DataFrame, panels: pd.Series, rows: pd.Series, size: pd.Series) -> alt.TopLevelMixin:
    """Panels of cells, a line for each of `rows` and a column for each `size`, as many panels beside each other as the
    page has room for."""
    shown = numbers[["datasets", "width", "remark"]].assign(
        panel=panels,
        row=rows,
        kind=data_titles(numbers["data"]),
        method=method_titles(numbers["method"]),
        remark=numbers["remark"].fillna("").map(spelt_out),
        size=size,
        beside=_beside(numbers),
        percent=numbers["failure_rate"].map(_percent),
        of=_target_titles(numbers["target"]),
        rate=numbers["failure_rate"].map(_exactly),
        promised=numbers["nominal"].map(_exactly),
        recommended=_recommended(numbers),
    )
    headings = list(dict.fromkeys(shown["panel"]))
    lines = {heading: list(dict.fromkeys(part["row"])) for heading, part in shown.groupby("panel", sort=False)}
    columns = list(dict.fromkeys(shown.loc[numbers.sort_values(["tasks", "runs"]).index, "size"]))
    names = _LETTER * max(map(len, shown["row"])) + _GAP
    cell = _NARROW_CELL if _has_tasks(columns) else _CELL
    if len({frozenset(each) for each in lines.values()}) > 1:
        made = [
            _cells(part, lines[heading], [one for one in columns if one in set(part["size"])]).properties(title=heading)
            for heading, part in shown.groupby("panel", sort=False)
        ]
        per_row = max(1, int(theme.WIDTH // (names + cell * len(columns) + _GAP)))
        return alt.concat(*made, columns=per_row, spacing=_GAP)
    panel = _cells(shown, lines[headings[0]], columns)
    if len(headings) == 1 and not headings[0]:
        return panel
    per_row = max(1, int((theme.WIDTH - names) // (cell * len(columns) + _GAP)))
    room = theme.WIDTH if per_row == 1 else cell * len(columns)
    header = alt.Header(labelExpr=theme.in_lines("datum.label", room))
    facet = alt.Facet("panel:N", title=None, sort=headings, header=header)
    # What the columns are stands below each panel: the last one is far from the first.
    return panel.facet(facet, columns=per_row, spacing=_GAP).resolve_axis(x="independent")


def _has_tasks(sizes: list[str]) -> bool:
    return any(_TIMES in size for size in sizes)


def _cells(shown: pd.DataFrame, lines: list[str], columns: list[str]) -> Any:
    """A panel: coloured cells with numbers in them, framed where a method is recommended."""
    several = _has_tasks(columns)
    title = f"runs{_TIMES}tasks" if several else "runs"
    bare: dict[str, Any] = {"ticks": False, "domain": False, "labelAngle": 0}
    if several:
        bare["labelExpr"] = f"split(replace(datum.label, '{_TIMES}', '\\n{_TIMES.strip()}'), '\\n')"
    x = alt.X("size:N", title=title, sort=columns, axis=alt.Axis(**bare))
    y = alt.Y("row:N", title=None, sort=lines, axis=row_axis())
    colours = alt.Scale(domain=list(_CLASSES), range=list(_CLASSES.values()))
    legend = alt.Legend(
        orient="top", title="failure rate / nominal rate", columns=5, symbolType="square", titleLimit=300
    )
    tooltip = [
        alt.Tooltip("of:N", title="concerns"),
        alt.Tooltip("method:N"),
        alt.Tooltip("kind:N", title="data"),
        alt.Tooltip("size:N", title=title),
        alt.Tooltip("rate:N", title="failure rate"),
        alt.Tooltip("promised:N", title="nominal rate"),
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
    return alt.layer(cells, chosen, texts).properties(
        width=alt.Step(_NARROW_CELL if several else _CELL), height=alt.Step(_ROW)
    )


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
            worst = part.loc[part["failure_rate"].idxmax()]
            row = {"subject": subject, "title": SUBJECTS[subject], "method": method_titles(pd.Series([method]))[0]}
            row |= {"recommended": len(_promised(part)), "cases": len(part)}
            row |= {"failing": _failing(part), "worst": worst["failure_rate"], "worst_case": worst["cell"]}
            rows.append(row | {"fewest_runs": _enough(part)})
    return None, pd.DataFrame(rows)


def _enough(cases: pd.DataFrame) -> float:
    """The smallest number of runs from which on no case fails, NaN where there is none."""
    failing = cases.loc[cases["outcome"] == FAILS, "runs"]
    return float((cases["runs"] if failing.empty else cases["runs"][cases["runs"] > failing.max()]).min())


def _promised(numbers: pd.DataFrame) -> pd.DataFrame:
    """The cases in which a method is recommended without a remark."""
    return numbers[_recommended(numbers)]


def _recommended(numbers: pd.DataFrame) -> pd.Series:
    return numbers["recommended"].astype(bool) & (numbers["remark"] == "")


def _failing(numbers: pd.DataFrame) -> int:
    return int((numbers["outcome"] == FAILS).sum())


def _tables(tables: Tables) -> dict[str, pd.DataFrame]:
    return {name: tables[PREFIX + name] for name in SUBJECTS if PREFIX + name in tables}


RECORD = "trust/drawn_kinds"
_SHOWN_KINDS = 10
_KIND_TITLES = {"whole profile": "Profile", "iqm differences": "Differences of IQMs", "mean differences": "of means"}
_KIND_TITLES |= {"success rate": "Success rate"}
_KIND_METHODS = METHODS | METHOD_TITLES | {"simultaneous": "simultaneous band", "default": "default"}


def table_kinds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Each interval over all kinds, where it carries no remark, and whatever the remark.

    Of the first, the kinds in which at least half of the data sets have no remark, and these data sets alone.

    Returns
    -------
    columns target, method, title, method_title, remark ("none" or "any"), drawn (all kinds), those of
    `kind_quantiles.KindQuantiles`, datasets (the greatest number of a kind), relative_width (median over the kinds) and
    no_width (data sets without a width)
    """
    rows = []
    for (target, method), part in tables[RECORD].groupby(["target", "method"], sort=False):
        for remark in ("none", "any"):
            failures, datasets = _counts(part, remark)
            known = {
                "target": target,
                "method": method,
                "title": _KIND_TITLES.get(target, METRIC_NAMES.get(target, target)),
            }
            known |= {"method_title": _KIND_METHODS.get(method, method), "remark": remark, "drawn": len(part)}
            known |= kind_quantiles(failures.to_numpy(), datasets.to_numpy())._asdict()
            known |= {"datasets": int(part["datasets"].max()), "relative_width": part["relative_width"].median()}
            rows.append(known | {"no_width": int(part[_NO_WIDTH[remark]].sum())})
    return None, pd.DataFrame(rows)


_NO_WIDTH = {"none": "no_width_unremarked", "any": "no_width"}


def table_worst_kinds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The ten kinds of each recommended interval that miss most where there is no remark.

    Returns
    -------
    columns target, title, cell, data, tasks, runs, failures, datasets (without a remark), failure_rate, shrunk (the
    rate by empirical Bayes), significant; by descending shrunk rate
    """
    parts = []
    for target, part in tables[RECORD][tables[RECORD]["method"] != "percentile"].groupby("target", sort=False):
        failures, datasets = _counts(part, "none")
        found = part.assign(
            failures=failures, datasets=datasets, title=_KIND_TITLES.get(target, METRIC_NAMES.get(target, target))
        )
        found = found[found["datasets"] > 0]
        if found.empty:
            continue
        counts = found["failures"].to_numpy(), found["datasets"].to_numpy()
        found = found.assign(
            failure_rate=counts[0] / counts[1], shrunk=shrunk_rates(*counts), significant=significant(*counts)
        )
        parts.append(found.sort_values("shrunk", ascending=False, kind="stable").head(_SHOWN_KINDS))
    columns = ["target", "title", "cell", "data", "tasks", "runs", "failures", "datasets", "failure_rate", "shrunk"]
    return None, pd.concat(parts, ignore_index=True)[[*columns, "significant"]]


def _counts(part: pd.DataFrame, remark: str) -> tuple[pd.Series, pd.Series]:
    """(failures, data sets) of each kind; 0 of 0 where most data sets have a remark that none may have."""
    if remark == "any":
        return part["failures"], part["datasets"]
    bare = (part["datasets"] * (1.0 - part["remarked"])).round().astype(int)
    enough = part["remarked"] <= 0.5
    return part["failures_unremarked"].where(enough, 0), bare.where(enough, 0)
