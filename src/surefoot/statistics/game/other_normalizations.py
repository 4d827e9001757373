"""Other normalizations of the paper, each with its usual aggregate (Jordan et al. 2020, section 4.1, appendix A).

A function here takes samples of n algorithms in m environments and gives one value an algorithm, float64[n], greater is
better: scores on a common scale, averaged over runs and environments. `SCALES` names those that need nothing else.
The zero and the one of a scale are taken from the runs themselves, as is usual, unless bounds are given.
"""

from collections.abc import Mapping

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.runs.samples import Samples, score_range
from surefoot.statistics.ties import score_places

Bounds = Mapping[str, tuple[float, float]]


def mean_scores(samples: Samples) -> Floats:
    """Mean score of each algorithm in each environment, float64[n, m]."""
    n, m = samples.sizes.shape
    return np.array([[samples.pair(i, j).mean() for j in range(m)] for i in range(n)])


def raw(samples: Samples) -> Floats:
    """Mean of the scores as they are: environments with great scores decide alone."""
    return mean_scores(samples).mean(axis=1)


def range_of_scores(samples: Samples, bounds: Bounds | None = None) -> Floats:
    """(x - a)/(b - a), with the lowest and the highest score of an environment (Bellemare et al. 2013)."""
    least, greatest = _ends(samples, bounds)
    return _scaled(mean_scores(samples), least, greatest).mean(axis=1)


def range_of_means(samples: Samples) -> Floats:
    """As `range_of_scores`, with the means of the worst and the best algorithm for 0 and 1."""
    means = mean_scores(samples)
    return _scaled(means, means.min(axis=0), means.max(axis=0)).mean(axis=1)


def performance_ratio(samples: Samples, reference: str, mean: str, bounds: Bounds | None = None) -> Floats:
    """Mean over environments of the ratio of an algorithm's mean score to a reference algorithm's.

    Ratios need scores with a zero: scores are counted from the lowest score of their environment, since most returns
    are negative, and a ratio of negative numbers is the smaller the better.

    Parameters
    ----------
    reference : the algorithm in the denominator
    mean : "arithmetic", whose order of algorithms may depend on the reference, or "geometric", whose order does not
        (Fleming and Wallace 1986)

    Raises
    ------
    ValueError : an unknown mean or reference, or one that is nowhere above the lowest score of an environment
    """
    if mean not in ("arithmetic", "geometric"):
        raise HintedError("performance_ratio", f'the mean "{mean}" is not known', "arithmetic or geometric")
    if reference not in samples.algorithms:
        raise HintedError(
            "performance_ratio", f'the reference "{reference}" has no runs', f"one of {', '.join(samples.algorithms)}"
        )
    above = mean_scores(samples) - _ends(samples, bounds)[0]
    denominator = above[samples.algorithms.index(reference)]
    if (denominator <= 0).any():
        raise HintedError(
            "performance_ratio",
            f"{reference} has the lowest score in "
            f"{samples.environments[int(np.argmin(denominator))]} and cannot be divided by",
            "another reference",
        )
    ratio = above / denominator
    if mean == "arithmetic":
        return ratio.mean(axis=1)
    return np.where((ratio > 0).all(axis=1), np.exp(np.log(np.where(ratio > 0, ratio, 1.0)).mean(axis=1)), 0.0)


def policy_percentile(samples: Samples, references: Mapping[str, Floats]) -> Floats:
    """Mean percentile of the scores among those of policies drawn at random (Dabney 2014).

    references : scores of random policies by environment, float64[policies] each

    Raises
    ------
    ValueError : an environment without references
    """
    percentile = np.empty(samples.sizes.shape)
    for j, name in enumerate(samples.environments):
        if name not in references or len(references[name]) == 0:
            raise HintedError("policy_percentile", f"{name} has no random policies", "every environment needs some")
        scores = [samples.pair(i, j) for i in range(len(samples.algorithms))]
        reference, *places = score_places([np.sort(references[name]), *scores])
        for i, of_algorithm in enumerate(places):
            percentile[i, j] = np.searchsorted(reference, of_algorithm, side="right").mean() / reference.size
    return percentile.mean(axis=1)


def probability_of_outperforming(samples: Samples) -> Floats:
    """Pr(X_{i,j} >= X_{k,j}), averaged over all other algorithms k and environments (Whiteson et al. 2011)."""
    n = len(samples.algorithms)
    z = payoffs(samples)
    z[np.arange(n), :, np.arange(n)] = 0.0
    return z.sum(axis=(1, 2)) / ((n - 1) * len(samples.environments))


def performance_percentile(samples: Samples) -> Floats:
    """The aggregate score: mean percentile under the weights of the game."""
    return play(payoffs(samples)).scores


def _ends(samples: Samples, bounds: Mapping[str, tuple[float, float]] | None) -> Floats:
    """Lowest and highest score of each environment, float64[m] each."""
    ends = [score_range(samples, j) if bounds is None else bounds[e] for j, e in enumerate(samples.environments)]
    return np.array(ends, np.float64).T


def _scaled(means: Floats, zero: Floats, one: Floats) -> Floats:
    """(means - zero)/(one - zero); 1/2 in an environment where the two are the same."""
    width = one - zero
    return np.where(width > 0, (means - zero) / np.where(width > 0, width, 1.0), 0.5)


SCALES = {
    "raw": raw,
    "range": range_of_scores,
    "range_of_means": range_of_means,
    "probability_of_outperforming": probability_of_outperforming,
    "performance_percentile": performance_percentile,
}
