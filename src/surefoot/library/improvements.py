"""Probability of improvement of pairs of algorithms, and rank distributions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, shown
from surefoot.library.aggregates import refuse_single_runs
from surefoot.library.score_tables import ScoreTables, read_scores
from surefoot.library.shown import ShownAsTable
from surefoot.statistics.improvement import Improvement, probability_of_improvement, replicate_improvement
from surefoot.statistics.interval_methods import interval
from surefoot.statistics.interval_remarks import improvement_remark
from surefoot.statistics.rank_distributions import rank_distributions, simulated_rank_distributions
from surefoot.statistics.ties import RELATIVE, exceeds

MEANINGFUL = 0.75


@dataclass(frozen=True, repr=False)
class Improvements(ShownAsTable):
    """Probabilities of improvement of pairs (x, y), the resamples of them, float64[pairs, resamples], and for each pair
    the numbers of runs of all tasks, of both algorithms."""

    pairs: tuple[tuple[str, str], ...]
    values: tuple[Improvement, ...]
    replicates: np.ndarray
    sizes: tuple[tuple[int, ...], ...]

    def table(self, confidence: float = 0.95) -> pd.DataFrame:
        """Columns x, y, value (probability that a run of x beats one of y), low, high, ties, significant, meaningful,
        remark (where the interval does not hold its level, as far as the numbers of runs tell).

        significant : the interval lies above 0.5; meaningful : it does, and reaches above 0.75 (the rule of Neyman and
        Pearson, Bouthillier et al. 2021). Each interval is one of its own: of 20 pairs without a difference, one is
        significant at 95 %, one way or the other.
        """
        low, high = interval(self.replicates.T, None, "percentile", confidence)[:2]
        x, y = zip(*self.pairs, strict=True)
        columns = {"x": x, "y": y, "value": [one.probability for one in self.values], "low": low, "high": high}
        table = pd.DataFrame(columns | {"ties": [one.ties for one in self.values]})
        table["significant"] = exceeds(table["low"], 0.5)
        table = table.assign(meaningful=table["significant"] & exceeds(table["high"], MEANINGFUL))
        widths = zip(self.sizes, table["high"] - table["low"], strict=True)
        return table.assign(remark=[improvement_remark(sizes, width, confidence) for sizes, width in widths])


def improvement(
    scores,
    pairs: Sequence[tuple[str, str]] | None = None,
    replicates: int = 2_000,
    seed: int = 0,
    decimals: int | str | None = RELATIVE,
    threads: int = 1,
    checked: bool = False,
) -> Improvements:
    """Probability of improvement of pairs of algorithms.

    Parameters
    ----------
    scores, checked : see `score_tables.read_scores`
    pairs : (x, y), to ask how often x beats y; all pairs, the later algorithm against the earlier, if None
    decimals : which scores are ties: "relative", those equal but for rounding; a number, those equal when rounded to so
        many decimals; None, those equal to the last bit
    replicates, seed, threads : see `statistics.improvement.replicate_improvement`

    Raises
    ------
    ValueError : see the same; fewer than two algorithms
    """
    tables = read_scores(scores, checked)
    refuse_single_runs(tables)
    if pairs is None:
        pairs = [(later, earlier) for earlier, later in combinations(tables.algorithms, 2)]
    if not pairs:
        raise HintedError("improvement", f"{len(tables.algorithms)} algorithm", "a pair needs two")
    for pair in pairs:
        if isinstance(pair, str) or np.shape(pair) != (2,):
            raise HintedError("improvement", f"{shown(pair)} is no pair", 'a list such as [("ours", "baseline")]')
    pairs = [(tables.name(x), tables.name(y)) for x, y in pairs]
    drawn, values = [], []
    for x, y in pairs:
        both = tables.of(x), tables.of(y)
        values.append(probability_of_improvement(*both, decimals))
        design = {"tasks": tables.tasks, "decimals": decimals, "threads": threads}
        drawn.append(replicate_improvement(*both, replicates, seed, (x, y), **design))
    sizes = tuple(tuple(column.size for name in pair for column in tables.of(name)) for pair in pairs)
    return Improvements(tuple(pairs), tuple(values), np.array(drawn), sizes)


def rank_distribution(
    scores, decimals: int | str | None = RELATIVE, checked: bool = False, simulated: int | None = None, seed: int = 0
) -> pd.DataFrame:
    """How probable each rank of each algorithm is, if one run of each is drawn: exact, ties broken at random.

    Parameters
    ----------
    scores, checked : see `score_tables.read_scores`
    decimals : which scores are ties: "relative", those equal but for rounding; a number, those equal when rounded to so
        many decimals; None, those equal to the last bit
    simulated : draw runs so many times, as the paper does (200,000), in place of counting exactly
    seed : of what is drawn

    Returns
    -------
    columns task, algorithm, rank (1 is best), probability; the task "mean" is the mean of all

    Raises
    ------
    ValueError : see `read_scores`; fewer than one simulated draw
    """
    tables = read_scores(scores, checked)
    of_all = [tables.of(a) for a in tables.algorithms]
    if simulated is None:
        return _rank_table(tables, rank_distributions(of_all, decimals))
    return _rank_table(tables, simulated_rank_distributions(of_all, simulated, seed, tables.tasks, decimals))


def _rank_table(tables: ScoreTables, by_task: np.ndarray) -> pd.DataFrame:
    k = len(tables.algorithms)
    parts = [
        pd.DataFrame(
            {
                "task": str(task),
                "algorithm": np.repeat(tables.algorithms, k),
                "rank": np.tile(np.arange(1, k + 1), k),
                "probability": table.ravel(),
            }
        )
        for task, table in zip([*tables.tasks, "mean"], [*by_task, by_task.mean(axis=0)], strict=True)
    ]
    return pd.concat(parts, ignore_index=True)
