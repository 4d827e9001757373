"""Rows of `multiple_comparisons` for algorithms and pairs of algorithms."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.questions.comparing import Compared
from surefoot.questions.differences import adjusted
from surefoot.statistics.arrays import Booleans, Floats


def simultaneous_rows(
    compared: Compared, reference: int | None, confidence_level: float, margin: float | None, lower: bool
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return one row per algorithm, and one row per pair, from simultaneous intervals.

    Parameters
    ----------
    reference : index of the baseline; None for all pairs
    margin : see `multiple_comparisons`
    lower : True if the better algorithm has the lower estimate
    """
    from surefoot.statistics.comparison import simultaneous_comparisons as several

    names = compared.names
    pairs = compared.pairs
    count = len(names)
    sign = -1.0 if lower else 1.0
    family, adjustment = adjusted([compared], reference)
    comparisons = several.simultaneous(pairs, adjustment, family, confidence_level)
    better: Booleans = np.asarray(comparisons.separated & (sign * pairs.difference > 0.0))
    ahead = np.where(comparisons.separated, sign * pairs.difference, 0.0)
    diagonal = np.eye(count, dtype=bool)
    if reference is None:
        other = np.where(diagonal, np.inf, sign * pairs.difference).argmin(axis=1)
        order = list(np.argsort(-sign * compared.estimates, kind="stable"))
        rank_low, rank_high = several.rank_limits(better)
        verdicts = _verdicts(better, np.isfinite(comparisons.low), order)
        rows = {"group_letters": _letters(comparisons.separated, verdicts, order), "tier": several.tiers(better, order)}
        rows |= {"rank_low": rank_low, "rank_high": rank_high, "verdict": verdicts}
        rows |= {"tied_with_best": np.isin(verdicts, ("best", "tied"))}
        difference = "difference_to_best"
        x, y = np.triu_indices(count, 1)
    else:
        other = np.full(count, reference)
        is_compared = np.isfinite(comparisons.low[:, reference])
        words = {1.0: "better", -1.0: "worse", 0.0: "not separated"}
        verdicts = [words[side] for side in np.sign(ahead[:, reference])]
        verdicts = np.where(is_compared, verdicts, "not compared").tolist()
        rows = {"baseline": names[reference], "verdict": verdicts}
        difference = "difference_to_baseline"
        x = np.delete(np.arange(count), reference)
        y = np.full(count - 1, reference)
    at = np.arange(count), other
    compared_with = order[0] if reference is None else reference
    detectable = pairs.detectable(adjustment.level(confidence_level))[compared_with].copy()
    detectable[compared_with] = np.nan
    rows |= {difference: pairs.difference[at], "low": comparisons.low[at], "high": comparisons.high[at]}
    rows |= {"p_value": comparisons.p_value[at], "detectable": detectable}
    behind = np.where(family, comparisons.low if sign > 0.0 else -comparisons.high, np.inf).min(axis=1)
    rows |= {"within_margin": _within(behind, margin)}
    inside = _within(np.minimum(comparisons.low, -comparisons.high)[x, y], margin)
    of_pairs: dict[str, Any] = {"algorithm": [names[one] for one in x], "baseline": [names[one] for one in y]}
    facts = {
        "difference": pairs.difference,
        "low": comparisons.low,
        "high": comparisons.high,
        "p_value": comparisons.p_value,
    }
    of_pairs |= {column: values[x, y] for column, values in facts.items()}
    of_pairs |= {"separated": comparisons.separated[x, y], "equivalent": inside}
    start = {"metric": compared.metric, "algorithm": names, "estimate": compared.estimates}
    return pd.DataFrame(start | rows), pd.DataFrame(of_pairs)


def _letters(apart: Booleans, verdicts: Sequence[str], order: Sequence[int]) -> list[str]:
    """Return the group letters of each algorithm; a dash for algorithms that are not compared."""
    from surefoot.statistics.comparison.simultaneous_comparisons import letters

    shown = [one for one in order if verdicts[one] != "not compared"]
    letters_by_place = dict(zip(shown, letters(apart[np.ix_(shown, shown)], range(len(shown))), strict=True))
    return [letters_by_place.get(one, "\N{EN DASH}") for one in range(len(order))]


def _verdicts(better: Booleans, has_interval: Booleans, order: Sequence[int]) -> list[str]:
    """Return the verdict on each algorithm relative to the best: best, tied, worse or not compared.

    Parameters
    ----------
    better : bool[k, k], True if the algorithm of the row is shown to be better than the algorithm of the column
    has_interval : bool[k, k], True if the pair has an interval
    order : indices of the algorithms, starting with the best estimate
    """
    first = order[0]
    verdicts = np.where(better.any(axis=0), "worse", np.where(has_interval[:, first], "tied", "not compared"))
    unbeaten = [verdicts[one] for one in order[1:] if verdicts[one] != "worse"]
    verdicts[first] = "best" if not unbeaten else "tied" if "tied" in unbeaten else "not compared"
    return [str(verdict) for verdict in verdicts]


def with_best_rows(compared: Compared, confidence_level: float, margin: float | None, lower: bool) -> pd.DataFrame:
    """Return one row per algorithm, from Hsu's comparisons with the best; see `simultaneous_rows`."""
    from surefoot.statistics.comparison import simultaneous_comparisons as several
    from surefoot.statistics.comparison.metric_differences import reversed_pairs

    count = len(compared.names)
    pairs = reversed_pairs(compared.pairs) if lower else compared.pairs
    sign = -1.0 if lower else 1.0
    levels = several.control_levels(compared.tails, count, confidence_level)
    best_comparisons = several.best_limits(pairs, levels)
    diagonal = np.eye(count, dtype=bool)
    ahead = np.where(diagonal, np.inf, pairs.difference).min(axis=1)
    best = int(np.argmax(sign * compared.estimates))
    has_limit = np.isfinite(pairs.limits(levels[:, None])[0][:, best])
    verdicts = np.where(best_comparisons.tied, np.where(has_limit, "tied", "not compared"), "worse")
    unbeaten = [verdict for one, verdict in enumerate(verdicts) if one != best and verdict != "worse"]
    verdicts[best] = "best" if not unbeaten else "tied" if "tied" in unbeaten else "not compared"
    limits = [np.where(np.isfinite(end), end, np.nan) for end in (best_comparisons.low, best_comparisons.high)]
    low, high = limits if not lower else (0.0 - limits[1], 0.0 - limits[0])
    detectable = pairs.detectable(levels)[best].copy()
    detectable[best] = np.nan
    alone = best_comparisons.tied.sum() == 1
    return pd.DataFrame(
        {
            "metric": compared.metric,
            "algorithm": compared.names,
            "estimate": compared.estimates,
            "group_letters": "",
            "tier": np.where(best_comparisons.tied, 1, 2),
            "rank_low": np.where(best_comparisons.tied, 1, 2),
            "rank_high": np.where(best_comparisons.tied & alone, 1, count),
            "verdict": verdicts,
            "tied_with_best": np.isin(verdicts, ("best", "tied")),
            "difference_to_best": sign * ahead,
            "low": low,
            "high": high,
            "p_value": np.nan,
            "detectable": detectable,
            "within_margin": _within(best_comparisons.low, margin),
        }
    )


def _within(least: Floats, margin: float | None) -> Booleans | Sequence[None]:
    """Return True for lower limits of at least minus the margin, or None without a margin."""
    return [None] * len(least) if margin is None else least >= -margin
