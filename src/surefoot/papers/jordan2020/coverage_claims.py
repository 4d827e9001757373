"""Claims about Table 2: effects are rates, or widths, beside limits that the text names."""

from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from surefoot.papers.jordan2020.evidence import Answer, Evidence
from surefoot.statistics.reproduction.items import item_text
from surefoot.statistics.reproduction.verdicts import POWER

_FAILURE_RATE = 0.05
_SOME = 0.005  # of the comparisons: less is printed as 0.00
_ALL = 0.825  # of the comparisons: what is printed as 0.83, five of six
_ERRORS = 2.0  # standard errors from a limit that decide a rate
_NONE_OF = 3.0  # a rate of 0 or 1 is compatible with one that is 3/datasets away (95 %)
_METHODS = ("pbp", "pbp_t", "bootstrap")


def _fails_too_often(evidence: Evidence, method: str, size: str) -> Answer | None:
    return _above(evidence, method, size, "failure_rate", _FAILURE_RATE)


def _fails_rarely(evidence: Evidence, method: str, size: str) -> Answer | None:
    above = _above(evidence, method, size, "failure_rate", _FAILURE_RATE)
    return above and above._replace(holds=not above.holds)


def _separates_some(evidence: Evidence, method: str, size: str) -> Answer | None:
    return _above(evidence, method, size, "significance", _SOME)


def _separates_all(evidence: Evidence, method: str, size: str) -> Answer | None:
    return _above(evidence, method, size, "significance", _ALL)


def _never_fails(evidence: Evidence, method: str, size: str) -> Answer | None:
    """A failure decides it; without one, the data sets must have shown failures as frequent as is allowed."""
    row = _covered(evidence, method, size)
    if row is None:
        return None
    failed = row["failure_rate"] > 0
    return Answer(not failed, failed, 1.0 - (1.0 - POWER) ** (1.0 / row["datasets"]), _FAILURE_RATE)


def _fails_less(evidence: Evidence, method: str, few: str, many: str) -> Answer | None:
    row, other = _covered(evidence, method, few), _covered(evidence, method, many)
    if row is None or other is None:
        return None
    first, second = row["failure_rate"], other["failure_rate"]
    margin = float(np.hypot(_margin(row, "failure_rate"), _margin(other, "failure_rate")))
    printed = [evidence.printed[item_text("coverage", method, size, "failure_rate")] for size in (few, many)]
    return Answer(second < first, abs(first - second) > margin, _noticed(margin), printed[0] - printed[1])


def _narrowest(evidence: Evidence, method: str, size: str) -> Answer | None:
    """The paper prints no widths: what is left open by the Monte Carlo error is not testable."""
    covered = {name: _covered(evidence, name, size) for name in _METHODS}
    rows = {name: row for name, row in covered.items() if row is not None}
    if len(rows) < len(_METHODS):
        return None
    widths = {name: row["mean_width"] for name, row in rows.items()}
    rival = min((name for name in _METHODS if name != method), key=lambda name: widths[name])
    margin = _ERRORS * float(np.hypot(*np.nan_to_num([rows[name]["mean_width_error"] for name in (method, rival)])))
    gap = widths[rival] - widths[method]
    return Answer(gap >= 0, abs(gap) >= margin, _noticed(margin), 0.0)


def _above(evidence: Evidence, method: str, size: str, rate: str, limit: float) -> Answer | None:
    """Whether a rate is above a limit; the printed rate's distance from the limit is what has to be seen."""
    row = _covered(evidence, method, size)
    if row is None:
        return None
    margin = _margin(row, rate)
    printed = evidence.printed[item_text("coverage", method, size, rate)]
    return Answer(row[rate] > limit, abs(row[rate] - limit) >= margin, _noticed(margin), abs(printed - limit))


def _margin(row: Any, rate: str) -> float:
    """How far a rate must lie from a limit to decide on which side it is."""
    error = float(np.nan_to_num(row[f"{rate}_error"]))
    return max(_ERRORS * error, _NONE_OF / row["datasets"] if row[rate] in (0, 1) else 0.0)


def _noticed(margin: float) -> float:
    """The distance that decides with probability `POWER`, by the standard error behind the margin."""
    return margin * (1.0 + NormalDist().inv_cdf(POWER) / _ERRORS)


def _covered(evidence: Evidence, method: str, size: str) -> pd.Series | None:
    """The row of a method and a number of trials, or None."""
    place = (method, int(size))
    return evidence.coverage.loc[place] if place in evidence.coverage.index else None


KINDS: dict[str, Callable[..., Answer | None]] = {
    "fails_too_often": _fails_too_often,
    "fails_rarely": _fails_rarely,
    "fails_less": _fails_less,
    "never_fails": _never_fails,
    "separates_some": _separates_some,
    "separates_all": _separates_all,
    "narrowest": _narrowest,
}
