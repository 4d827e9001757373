"""What a study has that the paper's numbers and claims can be compared with, of this run and of the record."""

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from surefoot.charts.selection import (
    bands,
    coverage_rows,
    environments_of,
    mean_intervals,
    published_values,
    score_intervals,
)
from surefoot.papers.jordan2020.spreads import TRIALS, printed_means
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.items import item_texts, of_quantity

POINTS = "aggregate/game_scores"
GROUPS = {
    "classic_control": ("acrobot", "cart_pole", "mountain_car"),
    "pinball": ("pinball_box", "pinball_empty", "pinball_medium", "pinball_single"),
    "gridworld": tuple(f"gridworld_{n}_{kind}" for n in (10, 5) for kind in ("deterministic", "stochastic")),
    "chain": tuple(f"chain_{n}_{kind}" for n in (10, 50) for kind in ("deterministic", "stochastic")),
}


def has_published_selection(tables: Tables) -> bool:
    """Whether the study has exactly the published algorithms and environments.

    The score of an algorithm depends on all of them.
    """
    ours, published = _pairs(tables)
    return _is_published(set(ours["algorithm"]), set(ours["environment"]), published)


def scores_are_of_published_selection(tables: Tables, scores: pd.DataFrame) -> bool:
    """Whether scores are of exactly the published algorithms and environments: those of the record, which have a column
    `environments`, or else of the study."""
    if "environments" not in scores:
        return has_published_selection(tables)
    return _is_published(set(scores["algorithm"]), environments_of(scores), _pairs(tables)[1])


def _is_published(algorithms: set[str], environments: set[str], published: pd.DataFrame) -> bool:
    return algorithms == set(published["algorithm"]) and environments == set(published["environment"])


def whole_environments(tables: Tables) -> list[str]:
    """The published environments that the study has with all published algorithms and no other."""
    ours, published = _pairs(tables)
    algorithms = ours.groupby("environment", sort=False)["algorithm"].agg(set)
    known = set(published["environment"])
    return [name for name, found in algorithms.items() if name in known and found == set(published["algorithm"])]


def _pairs(tables: Mapping[str, pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    points = tables[POINTS]
    return points[points["aggregate"] == "mean"], published_values(
        tables["published"], "mean", ["environment", "algorithm"]
    )


CLAIM = "claim"
"""The quantity of items that are claims."""


class Evidence(NamedTuple):
    """Rows that claims are asked of; without rows where a run or record does not have them.

    printed : published values by item
    scores : aggregate scores with value, low, high and runs by (method, algorithm), the narrowest method last
    means : value, error (standard error), low, high and runs by (environment, algorithm)
    bands : distributions, columns environment, algorithm, probability, score, low, high
    coverage : rates by (method, size)
    stored : ours and trials of claims by item, for those of distributions that a record does not keep
    """

    printed: pd.Series
    scores: pd.DataFrame
    means: pd.DataFrame
    bands: pd.DataFrame
    coverage: pd.DataFrame
    stored: pd.DataFrame


class Answer(NamedTuple):
    """Whether a claim holds by point values, and whether the runs decide it.

    detectable : the smallest effect that they would have decided, in the units of the claim
    matters : the effect that the paper prints, or that the claim speaks of
    """

    holds: bool
    decided: bool
    detectable: float
    matters: float


def evidence_of_run(tables: Tables, deviations: pd.Series) -> Evidence:
    """The evidence of this run: only what was measured with all that the paper compares.

    `deviations` has the standard deviation of single trials by the item of their mean.
    """
    environments = whole_environments(tables)
    points = tables[POINTS]
    means = points[(points["aggregate"] == "mean") & points["environment"].isin(environments)]
    deviation = item_texts("mean", means["environment"], means["algorithm"]).map(deviations)
    means = means.assign(error=deviation.astype(float) / means["runs"].astype(float) ** 0.5)
    limits = mean_intervals(tables)[["environment", "algorithm", "low", "high"]]
    means = means[["environment", "algorithm", "value", "error", "runs"]].merge(
        limits, on=["environment", "algorithm"], how="left", validate="1:1"
    )
    curves = bands(tables)
    scores = score_intervals(tables).dropna(subset=["low"])
    return Evidence(
        printed=_printed(tables),
        scores=_by_method(scores if has_published_selection(tables) else scores.iloc[:0]),
        means=means.set_index(["environment", "algorithm"]),
        bands=curves[curves["environment"].isin(environments)],
        coverage=coverage_rows(tables, "as_published").set_index(["method", "size"]),
        stored=pd.DataFrame({"ours": [], "trials": []}, dtype=float),
    )


def evidence_of_record(tables: Tables) -> Evidence:
    """The evidence of the record of the large run.

    It keeps means with standard errors, but neither their intervals, which are taken to have the widths of the printed
    ones (wider by the root of the trials), nor the distributions, of which the recorded answers are kept.
    """
    record = tables["record"]
    rows = of_quantity(record, "mean").set_index("item")
    means = printed_means(tables["published"])
    means = means.set_index(item_texts("mean", means["environment"], means["algorithm"]))
    means = means[means.index.isin(rows.index)]
    wider = (TRIALS / rows["trials"].reindex(means.index).astype(float)) ** 0.5
    value = rows["ours"].reindex(means.index)
    # The joint standard error is that of both numbers; the rounding in it is a trifle.
    error = rows["standard_error"].reindex(means.index) / (1.0 + wider**-2) ** 0.5
    means = means.assign(
        value=value,
        error=error,
        runs=rows["trials"].reindex(means.index).astype(float),
        low=value - wider * (means["mean"] - means["mean_low"]),
        high=value + wider * (means["mean_high"] - means["mean"]),
    )
    algorithms = set(means["algorithm"])
    whole = means.groupby("environment")["algorithm"].transform("nunique") == len(algorithms)
    scores = tables.get("record_intervals")
    return Evidence(
        printed=_printed(tables),
        scores=_by_method(pd.DataFrame(columns=["method", "algorithm"]) if scores is None else scores),
        means=means[whole].set_index(["environment", "algorithm"]),
        bands=bands({"estimate/dkw": pd.DataFrame(columns=["method", "environment", "algorithm"])}),
        coverage=coverage_rows(tables, "as_published", record=True).set_index(["method", "size"]),
        stored=of_quantity(record, CLAIM).set_index("item")[["ours", "trials"]],
    )


def _printed(tables: Mapping[str, pd.DataFrame]) -> pd.Series:
    return tables["published"].set_index("item")["published"]


_NARROWEST_LAST = ("pbp", "pbp_t", "bootstrap")


def _by_method(scores: pd.DataFrame) -> pd.DataFrame:
    """Rows by method, those of the paper in the order of `_NARROWEST_LAST`, and algorithm."""
    known = scores[scores["method"].isin(_NARROWEST_LAST)]
    order = {name: place for place, name in enumerate(_NARROWEST_LAST)}
    known = known.sort_values("method", key=lambda names: names.map(order), kind="stable")
    return known.set_index(["method", "algorithm"])
