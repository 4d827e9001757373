"""Claims about distributions of trials: effects are proportions of trials."""

from collections.abc import Callable

import pandas as pd

from surefoot.papers.jordan2020.evidence import CLAIM, Answer, Evidence
from surefoot.papers.jordan2020.spreads import TRIALS, printed_half_width
from surefoot.statistics.reproduction.items import item_text
from surefoot.statistics.reproduction.verdicts import POWER

_LOW_END = 0.1  # the proportion of trials that is called the low end of a distribution
_NEAR_OPTIMAL = 0.9  # how far the best trial lies from the lowest return of all (0) to the highest (1)
_ENVIRONMENTS = 15  # of the paper


def _near_optimal(evidence: Evidence, environment: str) -> Answer | None:
    """One such trial of each algorithm decides it. Without one, the claim is open as long as trials as rare as the
    paper's would have found could be missing."""
    curves = evidence.bands[evidence.bands["environment"] == environment]
    if len(curves):
        lowest, highest = curves["score"].min(), curves["score"].max()
        best = curves.groupby("algorithm")["score"].max().min()
        reached = bool(best >= lowest + _NEAR_OPTIMAL * (highest - lowest))
        trials = float(evidence.means["runs"].loc[environment].min())
    else:
        stored = _stored(evidence, item_text(CLAIM, "near_optimal", environment))
        if stored is None:
            return None
        reached, trials = stored
    return Answer(reached, reached, _rarest(trials), _rarest(TRIALS))


def _low_end(evidence: Evidence, adaptive: str, fixed: str) -> Answer | None:
    rows = evidence.bands
    if rows["environment"].nunique() == _ENVIRONMENTS:
        values, least, most = (_tenths(rows, name).unstack() for name in ("probability", "high", "low"))
        above = values[adaptive] >= values[fixed]
        surely, never = least[adaptive] >= most[fixed], most[adaptive] < least[fixed]
        decided = max(surely.mean(), never.mean()) > 0.5
        return Answer(bool(above.mean() > 0.5), bool(decided), _half_width(evidence.means["runs"].min()), _LOW_END)
    return _as_stored(evidence, item_text(CLAIM, "low_end", adaptive, fixed))


def _reliable_everywhere(evidence: Evidence) -> Answer | None:
    rows = evidence.bands
    if rows["environment"].nunique() == _ENVIRONMENTS:
        groups = rows.groupby("environment")["score"]
        high = groups.min() + _NEAR_OPTIMAL * (groups.max() - groups.min())
        values, most = (_tenths(rows, name).unstack(0) for name in ("probability", "low"))
        reliable = bool((values >= high).all(axis=1).any())
        # Every algorithm surely fails somewhere.
        decided = bool((most < high).any(axis=1).all())
        return Answer(reliable, decided, _half_width(evidence.means["runs"].min()), _LOW_END)
    return _as_stored(evidence, item_text(CLAIM, "reliable_everywhere"))


def _tenths(rows: pd.DataFrame, column: str) -> pd.Series:
    """The lowest score at which each distribution (or limit of it) reaches the low end, by (environment, algorithm);
    where a limit never does, the highest of its scores."""
    at = rows["score"].where(rows[column] >= _LOW_END)
    groups = [rows["environment"], rows["algorithm"]]
    return at.groupby(groups).min().fillna(rows["score"].groupby(groups).max())


def _as_stored(evidence: Evidence, item: str) -> Answer | None:
    stored = _stored(evidence, item)
    if stored is None:
        return None
    holds, trials = stored
    return Answer(holds, False, _half_width(trials), _LOW_END)


def _stored(evidence: Evidence, item: str) -> tuple[bool, float] | None:
    if item not in evidence.stored.index:
        return None
    row = evidence.stored.loc[item]
    return bool(row["ours"]), float(row["trials"])


def _rarest(trials: float) -> float:
    """The proportion of which so many trials hold at least one with probability `POWER`."""
    return 1.0 - (1.0 - POWER) ** (1.0 / trials)


def _half_width(trials: float) -> float:
    """That of the bands of the paper with so many trials."""
    return printed_half_width() * (TRIALS / trials) ** 0.5


KINDS: dict[str, Callable[..., Answer | None]] = {
    "near_optimal": _near_optimal,
    "low_end": _low_end,
    "reliable_everywhere": _reliable_everywhere,
}
