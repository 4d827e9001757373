"""How often what a user gets by default misses the truth, on kinds of studies that nobody has chosen.

The kinds are those of `score_family` with the study's seed. The intervals and remarks are those of the questions, with
their defaults: Student's of metrics and of the pairwise differences of three equal algorithms, all pairs together, the
simultaneous band of performance profiles, the probability of improvement of two equal algorithms, and the success rate
of runs of one task, each of which has 20 trials that succeed as often as its score says, cut off at 0 and 1. The
percentile interval of metrics is the literature's. What is stated is a quantile over the kinds: see `kind_quantiles`.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from surefoot.questions.aggregates import aggregates
from surefoot.questions.differences import pairwise_differences
from surefoot.questions.improvement import improvement
from surefoot.questions.profiles import profiles
from surefoot.questions.registry import on_tables
from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, usual
from surefoot.statistics.coverage.score_family import Kind, kind, points
from surefoot.statistics.coverage.simulated_scores import uniform_numbers
from surefoot.statistics.intervals.rate_limits import rate_limits
from surefoot.statistics.metrics.catalogue import FOUR_METRICS
from surefoot.statistics.ties import exceeds, typical_magnitude
from surefoot.streams import stream_key

SUBJECT = "drawn kinds"
KINDS = 300
_NAMES = ("a", "b", "c")
_THRESHOLDS = 31
_TRIALS = 20
_DISCRETE = 1e-3
"""How far the points that stand for a distribution may be from its true profile."""


def cells() -> list[dict[str, Any]]:
    """The numbers of the kinds; which they are depends on the seed."""
    return [{"name": f"kind {number}", "number": number} for number in range(KINDS)]


def cover(cell: dict[str, Any], datasets: int, replicates: int, seed: int) -> pd.DataFrame:
    """Failures of each interval in `datasets` data sets of a kind; see `surefoot.statistics.coverage.trust`.

    Only every fourth data set is compared with others of its kind, which takes most of the time.

    Returns
    -------
    the columns of a study of trust, and remarked (fraction of the data sets with a remark), failures_unremarked,
    no_width and no_width_unremarked (data sets in which an interval has no width, and those without a remark), and
    relative_width (mean width beside that of the interval of known standard error, which is the standard deviation of
    the values of the data sets; empty where it is 0, or not known)
    """
    drawn = kind(seed, cell["number"])
    truths = dict(zip(FOUR_METRICS, drawn.true_values(), strict=True))
    grid, profile = _profile(drawn)
    several = [
        [drawn.samples(seed, name, number) for name in _NAMES[: 1 + 2 * (number % 4 == 0)]]
        for number in range(datasets)
    ]
    own_seed = int(stream_key(seed, "trust", SUBJECT, cell["name"])[0] % 2**31)
    found: list[tuple[Any, ...]] = []
    # The sets that a question is given have streams, and tests of shared runs, of their own.
    sets = {f"{number}": _table(samples[:1]) for number, samples in enumerate(several)}
    intervals = on_tables(aggregates)(sets, methods=("student", "percentile"), replicates=replicates, seed=own_seed)
    for row in intervals.table().to_dict("records"):
        scale = typical_magnitude(np.concatenate(several[int(row["scores"])][0]))
        missed = _misses(row, truths[row["metric"]], scale)
        found.append((row["method"], row["metric"], row["value"], missed, row["high"] - row["low"], row["remark"]))
    bands = on_tables(profiles)(sets, thresholds=tuple(grid), replicates=2, seed=own_seed)
    remarks = dict(bands.notes("simultaneous")[["scores", "note"]].to_numpy())
    for name, band in bands.table("simultaneous").groupby("scores", sort=False):
        missed = bool(((profile < band["low"] - _DISCRETE) | (profile > band["high"] + _DISCRETE)).any())
        width = float((band["high"] - band["low"]).mean())
        found.append(("simultaneous", "whole profile", np.nan, missed, width, remarks.get(name, "")))
    scores, weights = points(drawn.laws[0])
    rate = float(weights @ np.clip(scores, 0.0, 1.0))
    for number, samples in enumerate(several):
        found.append(_success_rate(samples[0][0], rate, uniform_numbers((drawn.sizes[0],), seed, cell["name"], number)))
        if len(samples) > 1:
            found += _compared(f"{number}", _table(samples), replicates, own_seed)
    return pd.DataFrame([_row(cell, drawn, *group) for group in pd.DataFrame(found).groupby([0, 1], sort=False)])


def _success_rate(scores: Floats, truth: float, uniforms: Floats) -> tuple[Any, ...]:
    """The interval of the mean rate of runs whose trials are drawn by one uniform number each."""
    trials = np.full(scores.size, float(_TRIALS))
    low, high, _ = rate_limits(binom.ppf(uniforms, _TRIALS, np.clip(scores, 0.0, 1.0)), trials, CONFIDENCE)
    return ("Gaffke", "success rate", np.nan, bool(truth < low or truth > high), high - low, "")


def _compared(name: str, table: pd.DataFrame, replicates: int, seed: int) -> list[tuple[Any, ...]]:
    """Three equal algorithms, by all pairs of them, and by the probability of improvement of the first two."""
    found: list[tuple[Any, ...]] = []
    scale = typical_magnitude(table["score"].to_numpy())
    sets = {name: table}
    pairs = on_tables(pairwise_differences)(sets, metrics=("iqm", "mean"), replicates=replicates, seed=seed)
    for metric, rows in pairs.table().groupby("metric"):
        missed = any(_misses(row, 0.0, scale) for row in rows.to_dict("records"))
        # The remark of any pair; the narrowest width, which may be none.
        remark = usual([text for text in rows["remark"] if text] or [""])
        width = (rows["high"] - rows["low"]).min()
        found.append(("student", f"{metric} differences", np.nan, missed, width, remark))
    result = on_tables(improvement)(sets, pairs=(_NAMES[:2],), replicates=replicates, seed=seed)
    (row,) = result.table().to_dict("records")
    remark = "; ".join(result.notes()["note"])
    return [*found, ("default", "P(X > Y)", np.nan, _misses(row, 0.5, 1.0), row["high"] - row["low"], remark)]


def _misses(row: dict[str, Any], truth: float, scale: float) -> bool:
    """An interval that is not given, which its remark says, promises nothing."""
    return bool(exceeds(row["low"], truth, scale) or exceeds(truth, row["high"], scale))


def _row(cell: dict[str, Any], drawn: Kind, key: tuple[str, str], group: pd.DataFrame) -> dict[str, Any]:
    method, target = key
    values, missed, widths, remarks = (group[place].to_numpy() for place in range(2, 6))
    bare, empty = remarks == "", widths <= 0.0
    remark = usual(remarks.tolist())
    row = {"subject": SUBJECT, "cell": cell["name"], "data": drawn.described, "runs": min(drawn.sizes)}
    row |= {
        "tasks": 1 if target == "success rate" else len(drawn.sizes),
        "algorithms": {"P(X > Y)": 2}.get(target, 3 if "differences" in target else 1),
    }
    row |= {"method": method, "target": target, "nominal": 1.0 - CONFIDENCE, "datasets": len(group)}
    row |= {"failures": int(missed.sum()), "width": float(np.nanmean(widths)), "recommended": method != "percentile"}
    row |= {"remark": remark, "remarked": 1.0 - bare.mean(), "failures_unremarked": int((missed & bare).sum())}
    row |= {"no_width": int(empty.sum()), "no_width_unremarked": int((empty & bare).sum())}
    oracle = 2.0 * 1.959964 * float(np.std(values, ddof=1)) if len(values) > 1 else np.nan
    return row | {"relative_width": row["width"] / oracle if oracle > 1e-12 else np.nan}


def _table(several: list[list[Floats]]) -> pd.DataFrame:
    """Scores float64[runs] of each task of each algorithm as a table of runs."""
    columns = [scores for algorithm in several for scores in algorithm]
    sizes, tasks = [len(scores) for scores in columns], len(several[0])
    names = [(_NAMES[place // tasks], f"{place % tasks}") for place in range(len(columns))]
    return pd.DataFrame(
        {
            "algorithm": np.repeat([name for name, _ in names], sizes),
            "environment": np.repeat([task for _, task in names], sizes),
            "run": np.concatenate([np.arange(size) for size in sizes]),
            "score": np.concatenate(columns),
        }
    )


def _profile(drawn: Kind) -> tuple[Floats, Floats]:
    """Thresholds between the 2 % and 98 % quantiles of all tasks together, and the true profile at them."""
    represented = [points(law) for law in drawn.laws]
    scores, weights = (np.concatenate(part) for part in zip(*represented, strict=True))
    order = np.argsort(scores)
    mass = np.cumsum(weights[order]) / len(represented)
    low, high = scores[order][np.searchsorted(mass, [0.02, 0.98])]
    # Just beside the ends, which may be scores of many runs.
    grid = np.linspace(low, high, _THRESHOLDS + 2)[1:-1] + 1e-6 * (high - low)
    return grid, np.mean([[weights[scores > at].sum() for at in grid] for scores, weights in represented], axis=0)
