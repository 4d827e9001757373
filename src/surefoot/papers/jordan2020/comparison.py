"""Comparison of every published number with ours, from this run and from the record of the large run."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from surefoot.charts.selection import coverage_rows, recorded_coverage
from surefoot.papers.jordan2020.claims import claim_items
from surefoot.papers.jordan2020.evidence import (
    TRIALS,
    evidence_of_record,
    evidence_of_run,
    is_published_selection,
    printed_half_width,
    whole_environments,
    with_spreads,
)
from surefoot.rounding import written
from surefoot.simulation.simulation_registry import ENVIRONMENTS
from surefoot.statistics.intervals.distribution_bands import limits_at
from surefoot.statistics.reproduction.items import item_parts, item_text, of_quantity, quantities, read_item
from surefoot.statistics.reproduction.published_comparison import (
    COLUMNS,
    FEWEST_RUNS,
    compare,
    critical_value,
    distribution_items,
    items,
)

RESAMPLES = (
    "the paper does not say how many resamples its bootstrap drew; from {fewer:,} to {more:,} the rate moves by {by}"
)
MORE_REPLICATES = "as_published_more_replicates"
"""Name of the recorded study of coverage with more bootstrap resamples than in Table 2."""


def comparison(
    published: pd.DataFrame,
    runs: pd.DataFrame,
    points: pd.DataFrame,
    intervals: pd.DataFrame | None = None,
    means: pd.DataFrame | None = None,
    bands: pd.DataFrame | None = None,
    coverage: pd.DataFrame | None = None,
    record: pd.DataFrame | None = None,
    recorded_rates: pd.DataFrame | None = None,
    other_seeds: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Compare published numbers with ours; means come first and claims last.

    See `reproduction.published_comparison.compare` for the columns. Numbers that this study did not produce are left
    out. Aggregate scores depend on all algorithms and environments, so they are compared only if the study has exactly
    the published ones.

    Parameters
    ----------
    published : published numbers
    runs : table of runs
    points, intervals : results of `evaluation_game_scores` and `evaluation_game_intervals`
    means, bands : results of `evaluation_game_intervals` with the methods "anderson" and "dkw"
    coverage : result of `coverage` as published
    record, recorded_rates : means and coverage in the record of a large run
    other_seeds : means of trials with other seeds
    """
    parts = _measured(published, runs, points, intervals, coverage, recorded_rates)
    measured = pd.concat([part for part in parts if len(part)], ignore_index=True)
    if other_seeds is not None:
        measured = with_other_seeds(measured, other_seeds)
    spreads = with_spreads(published, measured, record)
    deviations = spreads.set_index("item")["standard_deviation"]
    evidence = evidence_of_run(published, points, intervals, means, bands, coverage, deviations)
    claims = exact(claim_items(evidence))
    ours = pd.concat([part for part in (measured, claims) if len(part)], ignore_index=True)
    order = {name: position for position, name in enumerate(ours["item"])}
    return compare(spreads, ours).sort_values("item", key=lambda names: names.map(order), ignore_index=True)


def _measured(
    published: pd.DataFrame,
    runs: pd.DataFrame,
    points: pd.DataFrame,
    intervals: pd.DataFrame | None,
    coverage: pd.DataFrame | None,
    recorded_rates: pd.DataFrame | None,
) -> Iterator[pd.DataFrame]:
    yield items(points[points["aggregate"] == "mean"])
    yield limit_items(runs, whole_environments(points, published))
    if intervals is not None and is_published_selection(points, published):
        bootstrap = intervals[intervals["method"] == "bootstrap"]
        yield items(bootstrap[bootstrap["aggregate"] == "game_score"])
    distributions = of_quantity(published, "cdf", "quantile")["item"]
    places = item_parts(distributions, "environment", "algorithm", "at")
    places = places.assign(item=distributions, quantity=quantities(distributions), at=places["at"].astype(float))
    yield distribution_items(runs, places)
    rates = coverage_items(coverage_rows({"as_published": coverage}, "as_published"))
    yield with_resamples(rates, recorded_rates)
    yield exact(_episodes(published))


def with_other_seeds(ours: pd.DataFrame, seeds: pd.DataFrame) -> pd.DataFrame:
    """Add trials with other seeds to our means, if our means have at least as many trials as the paper's.

    Additional trials were drawn for means that are far from the printed ones; they are independent of ours.

    Parameters
    ----------
    ours : DataFrame
        Columns item, ours, standard_error, runs. Items that refer to the same sample have the same numbers.
    seeds : DataFrame
        Columns item, trials and ours.
    """
    ours = ours.astype({"ours": float, "standard_error": float, "runs": float})
    numbers = ["ours", "standard_error", "runs"]
    for item, rows in seeds.groupby("item"):
        first = ours.loc[(ours["item"] == item) & (ours["runs"] >= TRIALS), numbers]
        if len(first):
            value, error, runs = first.iloc[0]
            total = runs + rows["trials"].sum()
            pooled = (value * runs + (rows["ours"] * rows["trials"]).sum()) / total
            same = (ours[numbers] == first.iloc[0]).all(axis=1)
            ours.loc[same, numbers] = pooled, error * math.sqrt(runs / total), total
    return ours


def limit_items(runs: pd.DataFrame, environments: list[str]) -> pd.DataFrame:
    """Compute limits of means that are comparable with the paper's limits from 10,000 trials.

    An interval from fewer trials would be wider than the printed one, so the half-width of the paper's band is used. A
    limit is the mean of the trials after the highest (or lowest) 2.1 % are replaced by the lowest (or highest) return
    of any algorithm in that environment. In contrast to the mean, limits depend strongly on the worst
    and the best trials.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm, environment, score.
    environments : list of str
        Environments in which all algorithms of the paper ran; in other environments, the range of scores differs.

    Returns
    -------
    DataFrame
        Columns item, ours, standard_error, runs. Pairs with fewer than 200 trials are left out, since their extremes
        are not representative.
    """
    half_width = printed_half_width()
    rows = []
    for environment in environments:
        here = runs[runs["environment"] == environment]
        smallest = here["score"].min()
        greatest = here["score"].max()
        for algorithm, scores in here.groupby("algorithm", sort=False)["score"]:
            if len(scores) < FEWEST_RUNS:
                continue
            sample = np.sort(scores.to_numpy(np.float64))
            # A limit is the mean of the trials after clipping at a quantile; clipped trials vary at most as much as
            # unclipped ones.
            error = sample.std(ddof=1) / np.sqrt(sample.size)
            for end, value in zip(("low", "high"), limits_at(sample, smallest, greatest, half_width), strict=True):
                item = item_text(f"mean_{end}", environment, algorithm)
                rows.append({"item": item, "ours": value, "standard_error": error, "runs": sample.size})
    return pd.DataFrame(rows, columns=["item", "ours", "standard_error", "runs"])


def exact(rows: pd.DataFrame) -> pd.DataFrame:
    """Add the columns standard_error and runs with NaN, for numbers without sampling error."""
    return rows.assign(standard_error=float("nan"), runs=float("nan"))


def _episodes(published: pd.DataFrame) -> pd.DataFrame:
    """Return our numbers of episodes per trial, for the environments in Table 5 of the paper."""
    items = of_quantity(published, "episodes")["item"]
    episodes = [float(ENVIRONMENTS[read_item(item).of[0]].episodes) for item in items]
    return pd.DataFrame({"item": items.to_numpy(), "ours": episodes})


def with_resamples(rows: pd.DataFrame, recorded_rates: pd.DataFrame | None) -> pd.DataFrame:
    """Add the reason why rates of the bootstrap in Table 2 may differ.

    The allowed difference is the change of the rate in the record between two numbers of resamples, plus
    `critical_value` times its Monte Carlo error, in the direction in which fewer resamples change the rate. The reason
    is empty if there is no such record.
    """
    record = recorded_rates
    if record is None:
        record = pd.DataFrame(columns=["variant", "method", "size", "n_resamples"])
    record = record[record["method"] == "bootstrap"]
    sides = [record[record["variant"] == name].set_index("size") for name in ("as_published", MORE_REPLICATES)]
    reasons = {}
    sizes = sides[0].index.intersection(sides[1].index)
    for size in sizes:
        fewer, more = (side.loc[size] for side in sides)
        for rate in ("failure_rate", "significance"):
            by = abs(float(fewer[rate] - more[rate]))
            error = math.hypot(fewer[f"{rate}_error"], more[f"{rate}_error"])
            counts = {"fewer": int(fewer["n_resamples"]), "more": int(more["n_resamples"])}
            text = RESAMPLES.format(**counts, by=written(by, ".3f"))
            side = "higher" if fewer[rate] > more[rate] else "lower"
            reasons[item_text("coverage", "bootstrap", size, rate)] = (
                text,
                by + critical_value(2 * len(sizes)) * error,
                side,
            )
    by_row = [reasons.get(name, ("", math.nan, "")) for name in rows["item"]]
    return rows.join(pd.DataFrame(by_row, index=rows.index, columns=["reason", "allowed", "side"]))


def coverage_items(rows: pd.DataFrame) -> pd.DataFrame:
    """Convert rates of a study of coverage to items of a comparison; `runs` is the number of data sets.

    The standard error of a rate of 0 or 1 is replaced by the change due to one more data set.
    """
    parts = [
        pd.DataFrame(
            {
                "item": [item_text("coverage", row.method, row.size, rate) for row in rows.itertuples()],
                "ours": rows[rate].to_numpy(float),
                "standard_error": rows[f"{rate}_error"].astype(float).fillna(0).clip(lower=1 / rows["datasets"]),
                "runs": rows["datasets"].to_numpy(float),
            }
        )
        for rate in ("failure_rate", "significance")
    ]
    return pd.concat(parts, ignore_index=True)


def record_comparison(
    published: pd.DataFrame,
    record: pd.DataFrame | None = None,
    intervals: pd.DataFrame | None = None,
    coverage: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Judge recorded numbers, including the study of coverage, by the current rules; columns as in `compare`.

    Nothing is simulated again: verdicts follow from the recorded numbers, standard errors and numbers of trials. `runs`
    is the number of trials of a pair, also for claims; for failure rates, it is the number of data sets.
    """
    if record is None:
        return pd.DataFrame({name: pd.Series(dtype=float) for name in COLUMNS}).astype(
            dict.fromkeys(("item", "verdict", "reason", "undecided_by"), str)
        )
    sampled = record[record["standard_error"].notna()]
    ours = _sampled(sampled, published)
    recorded = recorded_coverage(coverage, "as_published")
    rates = with_resamples(coverage_items(recorded), coverage) if len(recorded) else pd.DataFrame({"item": []})
    rates = rates[rates["item"].isin(published["item"])]
    claims = exact(claim_items(evidence_of_record(published, record, intervals, coverage)))
    recorded_claims = claims[claims["item"].isin(record["item"])]
    parts = (ours, rates, exact(_episodes(published)), recorded_claims)
    ours = pd.concat([part for part in parts if len(part)], ignore_index=True)
    table = compare(with_spreads(published, ours, None), ours)
    return table.assign(runs=table["item"].map(record.set_index("item")["trials"]).fillna(table["runs"]))


def _sampled(record: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return means, scores and points of distributions: item, ours, standard_error (of our number only) and runs."""
    by_item = published.set_index("item")
    runs = record["trials"].astype(float)
    numbers = {name: record["item"].map(by_item[name]).astype(float) for name in ("runs", "rounding", "standard_error")}
    sampling = (record["standard_error"] ** 2 - numbers["rounding"].fillna(0.0) ** 2 / 3.0).clip(lower=0.0)
    shared = sampling / (1.0 + runs / numbers["runs"])
    separate = (sampling - numbers["standard_error"] ** 2).clip(lower=0.0)
    error = np.sqrt(shared.where(numbers["standard_error"].isna(), separate))
    return record[["item", "ours"]].assign(standard_error=error, runs=runs)
