"""Comparison of published numbers and claims with ours, and known reasons for some differences.

The largest difference that a reason explains follows from the printed numbers or the number of runs, never from our own
numbers.
"""

import math
from collections.abc import Iterator, Mapping
from statistics import NormalDist

import pandas as pd

from surefoot.papers.agarwal2021.claims import MANY_GAMES, our_items
from surefoot.statistics.reproduction.comparison import COLUMNS, compare, critical_value
from surefoot.statistics.reproduction.items import item_parts, item_text, of_quantity

PUBLIC_RUNS = 100
"""Number of public runs of each algorithm on Atari 100k; the paper used as many."""
COVERAGE_RUNS = 200
"""Number of runs of DER from which the paper drew samples to study coverage (its figures 6 and A.18)."""
_NORMAL = NormalDist()

_OTHER_RUNS = "the text does not say which 100 runs it used; another 100 would shift the whole range"
_ROUNDED = "the paper divides by an improvement that it rounds to 0.08"
_WIDTH = "the printed 20 % seems to be the width of the range of lifts, whose upper end would be half of that"
_KNOWN_POPULATION = (
    f"samples without replacement contain a larger part of the {PUBLIC_RUNS} public runs than of the paper's "
    f"{COVERAGE_RUNS} runs, which raises the coverage"
)


def comparison(published: pd.DataFrame, answers: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare the published numbers with ours, as far as ours are available in this run or the record."""
    return judged(published, our_items(published, answers), answers)


def judged(published: pd.DataFrame, ours: pd.DataFrame, answers: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare published numbers with the items of `our_items`."""
    ours = ours[ours["item"].isin(published["item"])].drop_duplicates("item")
    if ours.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    ours = ours.merge(known_reasons(published, answers.get("figure_a18")), on="item", how="left").set_index("item")
    # A number is judged if a difference that matters would be noticed despite the Monte Carlo error. For a claim that
    # the subsamples leave undecided, any difference matters, so it stays undecided.
    ours["matters"] = published.set_index("item")["matters"].reindex(ours.index)
    ours.loc[ours["undecided"].eq(True), "matters"] = 0.0
    with_errors = published.assign(standard_error=0.0 * published["item"].map(ours["error"]))
    ours = ours.rename(columns={"error": "standard_error"}).assign(runs=float("nan")).reset_index()
    return compare(with_errors, ours)


def known_reasons(published: pd.DataFrame, coverage: pd.DataFrame | None) -> pd.DataFrame:
    """Return known reasons for differences.

    The columns are item, reason, allowed (the largest difference that the reason explains) and side.
    """
    published = published.set_index("item")
    rows = [*_other_runs(published), *_known_population(published, coverage)]
    item = item_text("bias_percent_of_improvement", "SPR")
    if item in published.index:
        # The printed improvement of 0.08 may be anything from 0.075 to 0.085.
        row = published.loc[item]
        rows.append((item, _ROUNDED, row["tolerance"] + row["published"] * 0.005 / 0.08, ""))
    item = item_text("lift_percent_possible", "median", 100)
    if item in published.index:
        # The published number may be the width of the range of lifts instead of its upper end, which would be half as
        # large. So ours may be lower by up to half of the published number.
        row = published.loc[item]
        rows.append((item, _WIDTH, row["published"] / 2.0 + row["tolerance"], "lower"))
    return pd.DataFrame(rows, columns=["item", "reason", "allowed", "side"])


def _other_runs(published: pd.DataFrame) -> Iterator[tuple[str, str, float, str]]:
    """Yield the differences that are allowed because the paper may have used 100 other runs.

    An allowed difference is `critical_value` standard errors of the difference of two means of 100 runs. The standard
    deviation of a single run is inferred from the published range of 5 runs.
    """
    ends = of_quantity(published.reset_index(), "difference_of_5")
    ends = ends.join(item_parts(ends["item"], "algorithm", "baseline", "end"))
    for _, rows in ends.groupby(["algorithm", "baseline"]):
        at = rows.set_index("end")["published"]
        spread_of_5 = (at["high"] - at["low"]) / (2.0 * _NORMAL.inv_cdf(0.975))
        moved = critical_value(len(ends)) * spread_of_5 * math.sqrt(2.0 * 5 / PUBLIC_RUNS)
        for item, tolerance in zip(rows["item"], rows["tolerance"], strict=True):
            yield item, _OTHER_RUNS, tolerance + moved, ""


def _known_population(published: pd.DataFrame, coverage: pd.DataFrame | None) -> Iterator[tuple[str, str, float, str]]:
    """Yield the allowed difference of a claim that would be true in samples from the paper's larger set of runs.

    The error of a mean of n out of N runs, drawn without replacement, is sqrt(1 - n/N) times the error for an infinite
    set, so an interval that reaches z errors in one set reaches z sqrt((1 - n/N) / (1 - n/N')) errors in another.
    """
    item = item_text("claim", "games_below_95")
    if item not in published.index or coverage is None:
        return
    size = coverage["size"].max()
    ratio = math.sqrt((1.0 - size / PUBLIC_RUNS) / (1.0 - size / COVERAGE_RUNS))
    rates = coverage.loc[coverage["size"] == size, "estimate"]
    reach = [_NORMAL.inv_cdf((1.0 + min(value, 1.0 - 1e-9)) / 2.0) for value in rates]
    holds = sum(2.0 * _NORMAL.cdf(ratio * z) - 1.0 < 0.95 for z in reach) >= MANY_GAMES
    yield item, _KNOWN_POPULATION, float(holds), "lower"
