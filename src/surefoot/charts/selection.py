"""Select rows and names that are used in several figures and tables."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS, leading, remark
from surefoot.statistics.metrics.metric_catalogue import metric as known_metric
from surefoot.statistics.metrics.metric_catalogue import reported_metric
from surefoot.statistics.reproduction.items import item_parts, of_quantity

METHOD_TITLES = {name: method.title for name, method in INTERVAL_METHODS.items()}
NO_METHOD = "none"  # value of the column `method` if the study asks for no intervals

_INTERVAL_COLUMNS = (
    *("method", "aggregate", "algorithm", "environment", "estimate", "low", "high", "standard_error"),
    *("rank", "rank_low", "rank_high", "confidence_level", "runs", "n_resamples"),
)


def score_intervals(points: pd.DataFrame | None, intervals: pd.DataFrame | None) -> pd.DataFrame:
    """Return aggregate scores with the intervals of every method, or without limits if there are no intervals.

    The first method is the one to quote; see `surefoot.statistics.intervals.interval_catalogue.leading`.

    Parameters
    ----------
    points : result of `evaluation_game_scores`, only used if there are no intervals
    intervals : result of `evaluation_game_intervals`
    """
    if intervals is None:
        table = _without_limits(points)
    else:
        order = _in_order(set(intervals["method"]) & set(METHOD_TITLES))
        table = intervals[intervals["method"].isin(order)]
        table = table.sort_values("method", key=lambda names: names.map(order.index), kind="stable")
    return table[table["aggregate"] == "game_score"].drop(columns=["aggregate", "environment"]).reset_index(drop=True)


def recorded_scores(points: pd.DataFrame, record: pd.DataFrame | None) -> pd.DataFrame | None:
    """Return aggregate scores from the record of a large run, in the order of `score_intervals`.

    Return None if there is no suitable record. Scores depend on all algorithms, so the record must have exactly the
    algorithms of the study, and it must have all environments of the study and more runs than the study.
    """
    if record is None:
        return None
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
    """Return the environments of recorded scores, which are the same in every row."""
    return set(record["environments"].iloc[0].split())


def _in_order(methods: Iterable[str]) -> list[str]:
    """Return the method to quote, followed by the other methods in the order of the catalogue."""
    asked = set(methods)
    listed = [name for name in METHOD_TITLES if name in asked]
    first = [leading(listed)] if listed else []
    return first + [name for name in listed if name not in first]


def remarks(intervals: pd.DataFrame, variant: str = "corrected") -> dict[str, str]:
    """Return {method: remark} for the methods whose guarantee does not hold for the given runs.

    Records have many runs but no column `ties`, so ties are assumed.
    """
    if intervals["low"].isna().all():
        return {}
    texts = {}
    for method, rows in intervals.groupby("method", sort=False):
        ties = "ties" not in rows or bool(rows["ties"].fillna(True).any())
        texts[method] = remark(method, variant, int(rows["runs"].min()), ties)
    return {method: text for method, text in texts.items() if text}


def mean_intervals(points: pd.DataFrame | None, intervals: pd.DataFrame | None) -> pd.DataFrame:
    """Return the mean in each environment with Anderson's limits.

    Limits are missing if the study does not request them, and in environments in which all scores are equal, since they
    are computed within the range of the scores.
    """
    table = _without_limits(points) if intervals is None else intervals[intervals["method"] == "anderson"]
    columns = ["method", "aggregate", "standard_error", "n_resamples"]
    table = table[table["aggregate"] == "mean"].drop(columns=columns).reset_index(drop=True)
    flat = table["low"] == table["high"]
    if flat.any():
        limits = ["low", "high", "rank_low", "rank_high", "confidence_level"]
        table[limits] = table[limits].mask(flat, axis=0)
    return table


def distribution_bands(table: pd.DataFrame | None) -> pd.DataFrame:
    """Return distributions with DKW bands; without rows if the study does not request them."""
    if table is not None:
        return table.drop(columns="method")
    kinds = {"algorithm": str, "environment": str} | dict.fromkeys(("probability", "score", "low", "high"), float)
    return pd.DataFrame({column: pd.Series(dtype=kind) for column, kind in kinds.items()})


def _without_limits(points: pd.DataFrame | None) -> pd.DataFrame:
    assert points is not None, "a table of scores is needed where there are no intervals"
    return points.assign(method=NO_METHOD).reindex(columns=list(_INTERVAL_COLUMNS))


def published_values(published: pd.DataFrame, quantity: str, parts: Sequence[str]) -> pd.DataFrame:
    """Return the published values of a quantity, with one column, named in `parts`, for each part of an item."""
    rows = of_quantity(published, quantity)
    return item_parts(rows["item"], *parts).assign(estimate=rows["published"]).reset_index(drop=True)


def against(pairs: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the pairs that include an algorithm, as differences of the other algorithms from it.

    The other algorithm is in the column `other`.

    pairs : columns algorithm, baseline, and estimate, low and high of the difference (algorithm minus baseline);
        optionally low_whole_runs and high_whole_runs
    """
    rows = pairs[(pairs["algorithm"] == name) | (pairs["baseline"] == name)]
    turned = rows["algorithm"] == name
    ends = {"estimate": -rows["estimate"], "low": -rows["high"], "high": -rows["low"]}
    if "low_whole_runs" in rows:
        ends |= {"low_whole_runs": -rows["high_whole_runs"], "high_whole_runs": -rows["low_whole_runs"]}
    ends = {key: rows[key].mask(turned, end) for key, end in ends.items()}
    return rows.assign(other=rows["baseline"].where(turned, rows["algorithm"]), **ends)


def lower_is_better(metric: str) -> bool:
    """Return True if lower values of a metric, such as "optimality_gap", are better."""
    try:
        return known_metric(metric).entry.lower_is_better
    except HintedError:  # a user's own function
        return False


def first_metric(table: pd.DataFrame) -> str:
    """Return the metric that summary sentences report: the IQM, or else the first metric."""
    return reported_metric(map(str, table["metric"].unique()))


def best_first(table: pd.DataFrame, column: str = "estimate") -> pd.DataFrame:
    """Return the rows of the metric that summary sentences report, best value first."""
    metric = first_metric(table)
    rows = table[table["metric"] == metric]
    return rows.sort_values(column, ascending=lower_is_better(metric) or lower_scores(table), kind="stable")


def lower_scores(table: pd.DataFrame) -> bool:
    """Return True if a result is about scores for which lower is better; see `in_own_units`.

    Older records do not say.
    """
    return "lower_is_better" in table and bool(table["lower_is_better"].iloc[0])


VARIANTS = {"as_published": "as published", "corrected": "corrected"}


MEASURES = {
    "failure_rate": "misses the score of another data set",
    "failure_rate_truth": "misses the truth",
    "significance": "pairs separated",
    "mean_width": "mean width",
}
COVERAGE_COLUMNS = ("variant", "method", "size", "datasets")


def coverage_rows(studies: Mapping[str, pd.DataFrame | None], variant: str | None = None) -> pd.DataFrame:
    """Combine the coverage studies of this run into one table.

    A method with only one variant is part of both variants.

    Parameters
    ----------
    studies : table of the coverage study of each variant, or None; see `VARIANTS`
    variant : one of `VARIANTS`, or None for all

    Returns
    -------
    columns variant, method, size, datasets, and failure_rate, failure_rate_truth, significance, mean_width with the
    standard error of each as `<name>_error`; without rows if there is no such study
    """
    tables = {name: table for name in VARIANTS if (table := studies.get(name)) is not None}
    return _coverage([_of_variant(table, name) for name, table in tables.items()], variant)


def recorded_coverage(record: pd.DataFrame | None, variant: str | None = None) -> pd.DataFrame:
    """Return the table of `coverage_rows` for the record of a large run."""
    return _coverage([] if record is None else [record[record["method"].isin(METHOD_TITLES)]], variant)


def _coverage(parts: list[pd.DataFrame], variant: str | None) -> pd.DataFrame:
    columns = [*COVERAGE_COLUMNS, *(name + end for name in MEASURES for end in ("", "_error"))]
    table = pd.concat(parts, ignore_index=True).reindex(columns=columns) if parts else pd.DataFrame(columns=columns)
    wanted = list(VARIANTS) if variant is None else [variant]
    return table[table["variant"].isin(wanted)].reset_index(drop=True)


def _of_variant(table: pd.DataFrame, name: str) -> pd.DataFrame:
    if "variant" in table:
        both = set(table.loc[table["variant"] == name, "method"])
        table = table[(table["variant"] == name) | ~table["method"].isin(both)]
    return table.assign(variant=name)
