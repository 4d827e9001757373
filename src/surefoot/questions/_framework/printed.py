"""Wide tables of estimates with intervals, as in papers, as strings or as LaTeX."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from surefoot.charts.names import METRICS
from surefoot.errors import HintedError
from surefoot.questions._framework.question_registry import name_in_programs, questions
from surefoot.rounding import column_format, written
from surefoot.statistics.metrics.metric_catalogue import reported_metric

if TYPE_CHECKING:
    from surefoot.questions._framework.results import Result

_SPELLED_OUT = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
_ESCAPED = str.maketrans({letter: f"\\{letter}" for letter in "&%$#_{}"} | _SPELLED_OUT)
_COMPARED = ("iqm", "mean", "median")
"""Metrics for which `multiple_comparisons` can find the best algorithms."""


def wide_table(result: "Result") -> pd.DataFrame:
    """Return a table of strings, such as "0.83 [0.06, 1.60]", arranged as in papers.

    Rows are environments and columns are algorithms. Without environments, rows are algorithms, and columns are metrics
    or the algorithms with which they are compared.

    Raises
    ------
    HintedError
        If the result has no estimate for each algorithm, or several thresholds.
    """
    rows, index, columns = _cells(result)
    texts = rows.assign(cell=_texts(rows))
    wide = texts.pivot(index=index, columns=columns, values="cell")
    wide = wide.reindex(index=_in_order(rows, index), columns=_in_order(rows, columns))
    return wide.fillna("").rename_axis(index=index, columns=None)


def latex_table(result: "Result") -> str:
    """Return the wide table as LaTeX (booktabs), with the best algorithm and all algorithms tied with it in bold.

    Ties are decided by `multiple_comparisons` of the same runs, not by whether intervals overlap.
    """
    rows, index, columns = _cells(result)
    wide = wide_table(result)
    best = _best(result, rows)
    is_bold = pd.DataFrame(False, index=wide.index, columns=wide.columns)
    for _, row in rows.iterrows():
        key = row[index[0]] if len(index) == 1 else tuple(row[index])
        where = (str(row.get("environment", "")), str(row.get("metric", "")), str(row["algorithm"]))
        is_bold.loc[key, row[columns[0]]] = where in best
    head = " & ".join(["", *(_escaped(METRICS.get(name, str(name))) for name in wide.columns)])
    lines = [r"\begin{tabular}{l" + "r" * len(wide.columns) + "}", r"\toprule", head + r" \\", r"\midrule"]
    for name, cells, bold in zip(wide.index, wide.to_numpy(), is_bold.to_numpy(), strict=True):
        label = ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        lines.append(" & ".join([_escaped(label), *map(_cell, cells, bold)]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _cells(result: "Result") -> tuple[pd.DataFrame, list[str], list[str]]:
    """Return the rows to print, and the names of the columns that become the index and the header of the wide table."""
    table = result.table()
    if "mean" in table and "estimate" not in table:
        table = table.rename(columns={"mean": "estimate"})
    if "algorithm" not in table or "estimate" not in table:
        kind = name_in_programs(questions()[result.asked.question]) if result.asked else "this answer"
        what = "this result has no estimate for each algorithm, so it has no wide table"
        raise HintedError(kind, what, "call `table()` without wide=True")
    table = _printed_rows(table)
    if "difference_to_best" in table:
        table = _with_differences(table)
    keys = [name for name in ("scores", "environment") if name in table and table[name].nunique() > 1]
    is_of_pairs = "baseline" in table and table["baseline"].notna().any()
    if is_of_pairs or "environment" in keys:
        index, columns = ([*keys, "algorithm"], ["baseline"]) if is_of_pairs else (keys, ["algorithm"])
        if "metric" in table:
            table = table[table["metric"] == reported_metric(table["metric"].unique())]
    else:
        is_of_ranks = "rank" in table and not {"metric", "aggregate"} & set(table.columns)
        index, columns = [*keys, "algorithm"], ["rank" if is_of_ranks else "metric"]
        if columns[0] not in table:
            table = table.assign(metric="estimate")
    duplicated = table.duplicated([*index, *columns])
    return table[~duplicated].reset_index(drop=True), index, columns


def _printed_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows to print: of the first method, of ranks over all environments, of the last step."""
    for name in ("method", "aggregate"):
        if name in table:
            table = table[table[name] == table[name].iloc[0]]
    if "rank" in table and "metric" not in table and "environment" in table and "" in set(table["environment"]):
        table = table[table["environment"] == ""]
    if "threshold" in table and table["threshold"].nunique() > 1:
        what = f"the result has {table['threshold'].nunique()} thresholds, but a wide table has only one"
        raise HintedError("table", what, "ask for a single threshold, such as thresholds=[0.5]")
    for steps in ("step", "frames"):
        if steps in table:
            table = table[table[steps] == table[steps].max()]
    return table


def _with_differences(table: pd.DataFrame) -> pd.DataFrame:
    """Split each row of `multiple_comparisons` into two: an estimate, and a difference with its interval."""
    estimates = table.assign(low=float("nan"), high=float("nan"))
    differences = table.assign(metric="difference to best", estimate=table["difference_to_best"])
    return pd.concat([estimates, differences], ignore_index=True)


def _in_order(rows: pd.DataFrame, names: list[str]) -> Any:
    """Return the distinct values of columns, in order of appearance."""
    if len(names) == 1:
        return list(dict.fromkeys(rows[names[0]]))
    return pd.MultiIndex.from_frame(rows[names].drop_duplicates())


def _texts(rows: pd.DataFrame) -> list[str]:
    """Format each estimate with its interval, such as "0.83 [0.06, 1.60]", with one number format per metric."""
    texts = pd.Series("", rows.index)
    for _, part in rows.groupby("metric", sort=False) if "metric" in rows else [("", rows)]:
        ends = [name for name in ("low", "high") if name in part]
        form = column_format(float(value) for value in part[["estimate", *ends]].to_numpy().ravel() if value == value)
        form = ".3f" if form == "figures" and float(part["estimate"].abs().max()) < 10.0 else form
        for place, row in part.iterrows():
            texts[place] = written(float(row["estimate"]), form)
            if len(ends) == 2 and pd.notna(row["low"]):
                texts[place] += f" [{written(float(row['low']), form)}, {written(float(row['high']), form)}]"
    return list(texts)


def _best(result: "Result", rows: pd.DataFrame) -> set[tuple[str, str, str]]:
    """Return (environment, metric, algorithm) for all algorithms tied with the best, if they can be compared."""
    if "tied_with_best" in rows:
        tied = rows[rows["tied_with_best"]]
        return {("", str(row.get("metric", "")), str(row["algorithm"])) for _, row in tied.iterrows()}
    asked = result.asked
    if asked is None or result.runs is None or rows["algorithm"].nunique() < 2:
        return set()
    names = ("algorithms", "confidence_level", "n_resamples", "seed", "shared_runs", "lower_is_better")
    settings = {name: asked.settings[name] for name in names if name in asked.settings}
    if asked.question == "aggregate_metrics":
        metrics = [name for name in rows["metric"].unique() if name in _COMPARED]
        return {("", metric, name) for metric in metrics for name in _tied(result.runs, metric, settings)}
    if asked.question == "task_means":
        environments = result.runs["environment"].unique()
        return {
            (str(environment), "", name)
            for environment in environments
            for name in _tied(result.runs[result.runs["environment"] == environment], "mean", settings)
        }
    return set()


def _tied(runs: pd.DataFrame, metric: str, settings: dict[str, Any]) -> Sequence[str]:
    """Return the algorithms tied with the best, by `multiple_comparisons`."""
    from surefoot.questions.multiple_comparisons import multiple_comparisons

    found = multiple_comparisons(runs, skip_checks=True, **{"metric": metric, **settings}).table()
    return list(found.loc[found["tied_with_best"], "algorithm"])


def _cell(text: str, is_bold: bool) -> str:
    return rf"\textbf{{{_escaped(text)}}}" if is_bold else _escaped(text)


def _escaped(text: str) -> str:
    return text.translate(_ESCAPED).replace("\u2212", "$-$").replace("\u2193", r"$\downarrow$")
