"""Manipulations that change rankings without making any algorithm better, for several normalizations.

The normalizations are from Jordan et al. 2020 (section 4.1, appendix A). Each function takes samples of n algorithms in
m environments and returns one value per algorithm, float64[n], where greater values are better: the mean over runs and
environments of the normalized scores. As usual, the scores that become 0 and 1 are taken from the runs themselves.

All scenarios use the same runs:

as_run : the original runs
terrible_algorithm : an algorithm is added that always has the lowest score of the environment
copies/ENVIRONMENT : copies of one environment are added, with the original runs, so that all changes are due to the
    copies
near_copies/ENVIRONMENT : near-copies of one environment are added, with runs drawn with replacement from the original
    ones, so that changes are partly due to chance
reference/ALGORITHM : another algorithm is the denominator (performance ratios only)

Values and ranks are only for the original algorithms, so that scenarios can be compared.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, rank_values, score_places
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.resampling.resampling_kernels import resample
from surefoot.statistics.runs.samples import Samples, assemble, samples_from_runs, score_range
from surefoot.streams import stream_key


def mean_scores(samples: Samples) -> Floats:
    """Compute the mean score of each algorithm in each environment, float64[n, m]."""
    n, m = samples.sizes.shape
    return np.array([[samples.pair(i, j).mean() for j in range(m)] for i in range(n)])


def performance_ratio(samples: Samples, reference: str, mean: str) -> Floats:
    """Divide mean scores by the mean scores of a reference algorithm, and average the ratios over environments.

    The lowest score of each environment is subtracted first, since most returns are negative, and smaller ratios of
    negative numbers would be better.

    Parameters
    ----------
    samples : Samples
    reference : str
        Algorithm in the denominator.
    mean : {"arithmetic", "geometric"}
        The order of algorithms by the arithmetic mean may depend on the reference; by the geometric mean it does not
        (Fleming and Wallace 1986).

    Raises
    ------
    ValueError
        If the reference is never above the lowest score of an environment.
    """
    above = mean_scores(samples) - _ends(samples)[0]
    denominator = above[samples.algorithms.index(reference)]
    if (denominator <= 0).any():
        raise HintedError(
            "performance_ratio",
            f"all runs of {reference} have the lowest score in "
            f"{samples.environments[int(np.argmin(denominator))]}, so the ratio is undefined",
            "use another reference",
        )
    ratio = above / denominator
    if mean == "arithmetic":
        return ratio.mean(axis=1)
    return np.where((ratio > 0).all(axis=1), np.exp(np.log(np.where(ratio > 0, ratio, 1.0)).mean(axis=1)), 0.0)


def policy_percentile(samples: Samples, references: Mapping[str, Floats]) -> Floats:
    """Compute the mean percentile of each algorithm's scores among the scores of random policies (Dabney 2014).

    Parameters
    ----------
    samples : Samples
    references : mapping of str to float64[policies]
        Scores of random policies by environment.

    Raises
    ------
    ValueError
        If an environment has no random policies.
    """
    percentile = np.empty(samples.sizes.shape)
    for j, name in enumerate(samples.environments):
        if name not in references or len(references[name]) == 0:
            raise HintedError(
                "policy_percentile", f"no random policies for {name}", "add random policies for every environment"
            )
        scores = [samples.pair(i, j) for i in range(len(samples.algorithms))]
        reference, *places = score_places([np.sort(references[name]), *scores])
        for i, of_algorithm in enumerate(places):
            percentile[i, j] = np.searchsorted(reference, of_algorithm, side="right").mean() / reference.size
    return percentile.mean(axis=1)


def _ends(samples: Samples) -> Floats:
    """Return the lowest and the highest score of each environment, float64[m] each."""
    return np.array([score_range(samples, j) for j in range(len(samples.environments))], np.float64).T


def _scaled(means: Floats, zero: Floats, one: Floats) -> Floats:
    """Return (means - zero)/(one - zero), or 1/2 in an environment where zero and one are equal."""
    width = one - zero
    return np.where(width > 0, (means - zero) / np.where(width > 0, width, 1.0), 0.5)


MEANS = ("arithmetic", "geometric")
AS_RUN = "as_run"
_COPY = "/copy_"


def exploit(
    runs: pd.DataFrame,
    seed: int = 0,
    copies: int = 5,
    references: Mapping[str, Floats] | None = None,
) -> pd.DataFrame:
    """Compute the value and rank of each algorithm by each normalization in each scenario.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm, environment, score, cell; one row per run.
    seed : int, default 0
    copies : int, default 5
        Number of copies, and of near-copies.
    references : mapping of str to float64[policies], optional
        Scores of random policies by environment. Without them, policy_percentile is left out.

    Returns
    -------
    DataFrame
        Columns scenario, normalization, algorithm, estimate, rank. Performance ratios use the reference in the name of
        the scenario, otherwise the first valid one. An algorithm whose runs all have the lowest score of an environment
        is not a valid reference. If the reference is not valid in a scenario, the ratios are left out.

    Raises
    ------
    ValueError
        See `samples_from_runs`; or if `references` lacks an environment.
    """
    samples = samples_from_runs(runs)
    n = len(samples.algorithms)
    divisors = _divisors(samples)
    pairs = [[samples.pair(i, j) for j in range(len(samples.environments))] for i in range(n)]
    pairs.append([np.full(of[0].size, score_range(samples, j)[0]) for j, of in enumerate(zip(*pairs, strict=True))])
    cells = np.vstack([samples.cells, np.full((1, len(samples.environments)), samples.cells.max() + 1)])
    terrible = assemble((*samples.algorithms, "terrible"), samples.environments, pairs, cells)
    scenarios = {AS_RUN: samples, "terrible_algorithm": terrible}
    for j, name in enumerate(samples.environments):
        scenarios[f"copies/{name}"] = _with_environments(samples, j, copies * [[pairs[i][j] for i in range(n)]])
        scenarios[f"near_copies/{name}"] = with_near_copies(samples, j, copies, seed)
    values: dict[tuple[str, str], Floats] = {}
    for scenario, changed in scenarios.items():
        # In a near-copy, the reference may have no score above the lowest. Values with another reference would not be
        # comparable.
        usable = [name for name in divisors[:1] if name in _divisors(changed)]
        of_scales = scale_values(changed, usable, references)
        values |= {(scenario, name): value[:n] for name, value in of_scales.items()}
    for name, mean in product(divisors, MEANS):
        values[f"reference/{name}", f"performance_ratio_{mean}"] = performance_ratio(samples, name, mean)
    tables = {
        key: pd.DataFrame({"algorithm": samples.algorithms, "estimate": value, "rank": rank_values(value)})
        for key, value in values.items()
    }
    return pd.concat(tables, names=["scenario", "normalization"]).reset_index([0, 1]).reset_index(drop=True)


def reversals(table: pd.DataFrame) -> pd.DataFrame:
    """Summarize how each scenario changes the ranking by each normalization.

    Parameters
    ----------
    table : DataFrame
        Result of `exploit`.

    Returns
    -------
    DataFrame
        Columns scenario, normalization, reversed_pairs (pairs of algorithms whose order was reversed; ties that appear
        or disappear do not count), best_before, best_after (the best algorithm). The scenario "as_run" is left out.
    """
    before = dict(list(table[table["scenario"] == AS_RUN].groupby("normalization")))
    rows = []
    for (scenario, name), group in table.groupby(["scenario", "normalization"], sort=False):
        if scenario == AS_RUN:
            continue
        old, new = (t["estimate"].to_numpy() for t in (before[name], group))
        turned = np.sign(old[:, None] - old[None, :]) * np.sign(new[:, None] - new[None, :]) < 0
        algorithms = group["algorithm"].to_numpy()
        rows.append((scenario, name, int(turned.sum()) // 2, algorithms[old.argmax()], algorithms[new.argmax()]))
    return pd.DataFrame(rows, columns=["scenario", "normalization", "reversed_pairs", "best_before", "best_after"])


def with_near_copies(samples: Samples, environment: int, copies: int, seed: int) -> Samples:
    """Add near-copies of environment number `environment` to the samples, with resampled runs."""
    name = samples.environments[environment]
    first = samples.distinct_cells()[:, environment]
    cells = samples.cells[:, environment]

    def draw(i: int, copy: int) -> Floats:
        same = int(np.flatnonzero(first & (cells == cells[i]))[0])
        drawn = np.empty(samples.sizes[i, environment])
        resample(
            stream_key(seed, "copy", name, copy, samples.algorithms[same]), 0, samples.pair(same, environment), drawn
        )
        return drawn

    drawn = [[draw(i, copy) for i in range(len(samples.algorithms))] for copy in range(copies)]
    return _with_environments(samples, environment, drawn)


def _with_environments(samples: Samples, environment: int, copies: list[list[Floats]]) -> Samples:
    """Add copies of environment number `environment` to the samples.

    copies : copies[c][i] has the scores of algorithm i in copy c
    """
    n, m = samples.sizes.shape
    name = samples.environments[environment]
    pairs = [[samples.pair(i, j) for j in range(m)] + [scores[i] for scores in copies] for i in range(n)]
    cells = np.hstack([samples.cells] + len(copies) * [samples.cells[:, environment : environment + 1]])
    environments = samples.environments + tuple(f"{name}{_COPY}{number}" for number in range(len(copies)))
    return assemble(samples.algorithms, environments, pairs, cells)


def _divisors(samples: Samples) -> list[str]:
    """Return the algorithms that have a score above the lowest one in every environment, so they can be references."""
    least = _ends(samples)[0]
    return [name for name, means in zip(samples.algorithms, mean_scores(samples), strict=True) if (means > least).all()]


def scale_values(
    samples: Samples, divisors: Sequence[str] = (), references: Mapping[str, Floats] | None = None
) -> dict[str, Floats]:
    """Compute the values of the algorithms, float64[n], by name of the normalization.

    raw : mean of the original scores, so that environments with large scores dominate
    range : (x - a)/(b - a), where a and b are the lowest and the highest score of an environment (Bellemare et al.
        2013)
    range_of_means : the same, where a and b are the mean scores of the worst and the best algorithm
    probability_of_outperforming : Pr(X_{i,j} >= X_{k,j}), over all other algorithms k and environments j (Whiteson et
        al. 2011)
    performance_percentile : the aggregate score, which is the mean percentile with the weights of the game
    performance_ratio_arithmetic, performance_ratio_geometric : with the last of `divisors` as the reference, if there
        is one; see `performance_ratio`
    policy_percentile : if `references` is not None; see `policy_percentile`
    """
    z = payoffs(samples)
    means = mean_scores(samples)
    others = z.copy()
    others[np.arange(len(z)), :, np.arange(len(z))] = 0.0
    values = {
        "raw": means.mean(axis=1),
        "range": _scaled(means, *_ends(samples)).mean(axis=1),
        "range_of_means": _scaled(means, means.min(axis=0), means.max(axis=0)).mean(axis=1),
        "probability_of_outperforming": others.sum(axis=(1, 2)) / ((len(z) - 1) * len(samples.environments)),
        "performance_percentile": play(z).scores,
    }
    for reference, mean in product(divisors, MEANS):
        values[f"performance_ratio_{mean}"] = performance_ratio(samples, reference, mean)
    if references is not None:
        originals = {name: name.partition(_COPY)[0] for name in samples.environments}
        by_name = {name: references.get(original, np.empty(0)) for name, original in originals.items()}
        values["policy_percentile"] = policy_percentile(samples, by_name)
    return values
