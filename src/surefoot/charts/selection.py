"""Rows and names that several drawings take from the tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.charts.drawing import POINTS
from surefoot.result_tables import Tables
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS, leading, remark
from surefoot.statistics.metrics.catalogue import metric as known_metric
from surefoot.statistics.reproduction.items import item_parts, of_quantity

METHOD_TITLES = {name: method.title for name, method in INTERVAL_METHODS.items()}
NO_METHOD = "none"  # stands in the column `method` where the study asks for no interval

RECORDED = "recorded/"
_INTERVAL_COLUMNS = (
    *("method", "aggregate", "algorithm", "environment", "value", "low", "high", "standard_error"),
    *("rank", "rank_low", "rank_high", "confidence", "runs", "replicates"),
)


def score_intervals(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Aggregate scores by every method of intervals that the study asks for; without limits if there is none.

    The first method is the one to quote; see `surefoot.statistics.intervals.catalogue.leading`.
    """
    asked = _in_order(method for method in METHOD_TITLES if f"estimate/{method}" in tables)
    found = [tables[f"estimate/{method}"] for method in asked]
    table = pd.concat(found, ignore_index=True) if found else _without_limits(tables)
    return table[table["aggregate"] == "game_score"].drop(columns=["aggregate", "environment"]).reset_index(drop=True)


def recorded_scores(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame | None:
    """Aggregate scores of the record of a large run, by the methods and in the order of `score_intervals`.

    None where there is no record. Scores depend on all algorithms, so the record must have the study's own and no
    others; and it must have all of the study's environments, and more runs than the study.
    """
    if "record_intervals" not in tables:
        return None
    record, points = tables["record_intervals"], tables[POINTS]
    means = points[points["aggregate"] == "mean"]
    covers = set(record["algorithm"]) == set(means["algorithm"]) and set(means["environment"]) <= environments_of(
        record
    )
    if not covers or record["runs"].min() <= means["runs"].min():
        return None
    order = {name: place for place, name in enumerate(_in_order(set(record["method"]) & set(METHOD_TITLES)))}
    record = record[record["method"].isin(order)]
    return record.sort_values("method", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def environments_of(record: pd.DataFrame) -> set[str]:
    """The environments that recorded scores are of, which stand in each of their rows."""
    return set(record["environments"].iloc[0].split())


def _in_order(methods: Iterable[str]) -> list[str]:
    """The method to quote, then the others as they are listed everywhere."""
    asked = set(methods)
    known = [name for name in METHOD_TITLES if name in asked]
    first = [leading(known)] if known else []
    return first + [name for name in known if name not in first]


def remarks(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> dict[str, str]:
    """{method: remark} on the methods of a table of intervals whose promise these runs do not let them keep.

    Records have no column `ties`; they are of many runs, and are taken to have some.
    """
    if intervals["low"].isna().all():
        return {}
    variant, found = settings["variant"], {}
    for method, rows in intervals.groupby("method", sort=False):
        ties = "ties" not in rows or bool(rows["ties"].fillna(True).any())
        found[method] = remark(method, variant, int(rows["runs"].min()), ties)
    return {method: text for method, text in found.items() if text}


def mean_intervals(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Means in each environment with Anderson's limits.

    Without limits where the study does not ask for them, and in an environment where all scores are equal: the limits
    are taken within the range of the scores, and there is none.
    """
    table = tables["estimate/anderson"] if "estimate/anderson" in tables else _without_limits(tables)
    columns = ["method", "aggregate", "standard_error", "replicates"]
    table = table[table["aggregate"] == "mean"].drop(columns=columns).reset_index(drop=True)
    flat = table["low"] == table["high"]
    if flat.any():
        limits = ["low", "high", "rank_low", "rank_high", "confidence"]
        table[limits] = table[limits].mask(flat, axis=0)
    return table


def bands(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Distributions with DKW bands; no rows where the study does not ask for them."""
    if "estimate/dkw" in tables:
        return tables["estimate/dkw"].drop(columns="method")
    kinds = {"algorithm": str, "environment": str} | dict.fromkeys(("probability", "score", "low", "high"), float)
    return pd.DataFrame({column: pd.Series(dtype=kind) for column, kind in kinds.items()})


def _without_limits(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    points = tables[POINTS]
    return points.assign(method=NO_METHOD).reindex(columns=list(_INTERVAL_COLUMNS))


def published_values(published: pd.DataFrame, quantity: str, parts: Sequence[str]) -> pd.DataFrame:
    """Published values of a quantity: column value, and what each is of, as columns of these names."""
    rows = of_quantity(published, quantity)
    return item_parts(rows["item"], *parts).assign(value=rows["published"]).reset_index(drop=True)


def against(pairs: pd.DataFrame, name: str) -> pd.DataFrame:
    """The rows of pairs x, y that an algorithm is in, with `other`, and value and limits as differences of the other
    from it.

    pairs : columns x, y, and of x less y, value, low and high, and in some low_whole_runs and high_whole_runs
    """
    rows = pairs[(pairs["x"] == name) | (pairs["y"] == name)]
    turned = rows["x"] == name
    ends = {"value": -rows["value"], "low": -rows["high"], "high": -rows["low"]}
    if "low_whole_runs" in rows:
        ends |= {"low_whole_runs": -rows["high_whole_runs"], "high_whole_runs": -rows["low_whole_runs"]}
    ends = {key: rows[key].mask(turned, end) for key, end in ends.items()}
    return rows.assign(other=rows["y"].where(turned, rows["x"]), **ends)


def lower_is_better(metric: str) -> bool:
    """Whether the better of two algorithms has the lower value of a metric, such as "optimality_gap"."""
    return known_metric(metric).entry.lower_is_better


def first_metric(table: pd.DataFrame) -> str:
    """The metric of an answer that its finding is about: the IQM, or else the first one that was asked for."""
    names = [str(name) for name in table["metric"].unique()]
    return next((name for name in ("iqm", "exact_iqm") if name in names), names[0])


def best_first(table: pd.DataFrame, column: str = "value") -> pd.DataFrame:
    """The rows of the metric that a finding is about, the best value first."""
    metric = first_metric(table)
    rows = table[table["metric"] == metric]
    return rows.sort_values(column, ascending=lower_is_better(metric) or lower_scores(table), kind="stable")


def lower_scores(table: pd.DataFrame) -> bool:
    """Return whether an answer is about scores of which lower ones are better; see `own_units`."""
    return "lower_is_better" in table and bool(table["lower_is_better"].iloc[0])


def numbers_of_analysis(tables: Mapping[str, pd.DataFrame], analysis: str) -> pd.DataFrame | None:
    """The numbers of an analysis, or None where neither this run nor a record has them.

    "recorded/<analysis>" are those of a record that is larger than this run, which has numbers of its own.
    """
    return tables.get(analysis if analysis.startswith(RECORDED) else f"numbers/{analysis}")


VARIANTS = {"as_published": "as published", "corrected": "corrected"}


MEASURES = {
    "failure_rate": "failures (pairs)",
    "failure_rate_truth": "failures (truth)",
    "significance": "pairs separated",
    "mean_width": "mean width",
}
COVERAGE_COLUMNS = ("variant", "method", "size", "datasets")


def coverage_rows(tables: Tables, variant: str | None = None, record: bool = False) -> pd.DataFrame:
    """Rows of the coverage studies, of the large run's record or of this run, of one variant or all of VARIANTS.

    Methods that have only one variant stand in the study of the other one as well, since both studies ask for them.

    Returns
    -------
    columns variant, method, size, datasets, and failure_rate, failure_rate_truth, significance, mean_width with the
    standard error of each as `<name>_error`; no rows where there is no such study
    """
    if record:
        found = [rows[rows["method"].isin(METHOD_TITLES)] for name, rows in tables.items() if name == "record_coverage"]
    else:
        found = [_of_variant(tables[f"cover/{name}"], name) for name in VARIANTS if f"cover/{name}" in tables]
    columns = [*COVERAGE_COLUMNS, *(name + end for name in MEASURES for end in ("", "_error"))]
    table = pd.concat(found, ignore_index=True).reindex(columns=columns) if found else pd.DataFrame(columns=columns)
    wanted = list(VARIANTS) if variant is None else [variant]
    return table[table["variant"].isin(wanted)].reset_index(drop=True)


def _of_variant(table: pd.DataFrame, name: str) -> pd.DataFrame:
    if "variant" in table:
        both = set(table.loc[table["variant"] == name, "method"])
        table = table[(table["variant"] == name) | ~table["method"].isin(both)]
    return table.assign(variant=name)
