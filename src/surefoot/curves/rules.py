"""The rules by which a learning curve becomes a score, and what amounts they take; light, since planning imports it."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from surefoot.build.errors import nearest
from surefoot.errors import HintedError
from surefoot.protocol.card import STEPS_TOLERANCE

SHORT_RUNS = ("error", "drop", "carry_forward", "truncate_to_shortest")
"""What becomes of short runs: they are refused; left out; keep their last score to the end; or all runs end where the
shortest does."""
TOLERANCE = STEPS_TOLERANCE
"""Part of the steps of the longest run that another may lack: training episodes do not end at the same step."""
BETWEEN = ("carry_forward", "linear")
"""What a curve is between two evaluations: the last one's score, or on the line between both."""


class Rule(NamedTuple):
    """How a curve becomes a score.

    usual : the amount unless another is given; None where one must be, NaN where there is none
    allowed : whether an amount can be
    hint : what amounts can be
    between : whether it takes what a curve is between two evaluations, and so the whole curve
    selected : whether the score is one that was chosen for being high
    lower_is_better : of the scores
    """

    usual: float | None = math.nan
    allowed: Callable[[float], bool] = math.isnan
    hint: str = "it takes no amount"
    between: bool = False
    selected: bool = False
    lower_is_better: bool = False


def _is_count(amount: float) -> bool:
    return amount >= 1 and amount == int(amount)


RULES: Mapping[str, Rule] = {
    "last": Rule(),
    "last_k": Rule(None, _is_count, "a whole number of evaluations, at least 1"),
    "last_episodes": Rule(None, _is_count, "a whole number of episodes, at least 1"),
    "window": Rule(0.1, lambda amount: 0 < amount <= 1, "a part of the steps, above 0 and at most 1"),
    "auc": Rule(between=True),
    "steps_to": Rule(None, math.isfinite, "the score that is to be reached", lower_is_better=True),
    "best": Rule(selected=True),
    "absolute": Rule(selected=True),
}
"""By name; `window` is the default."""


_CALLED = {"final": "last", "end": "last", "max": "best", "area": "auc", "mean": "auc", "average": "auc"}
"""What rules are called elsewhere."""


def known_rule(where: str, name: str) -> Rule:
    """The rule of a name.

    Raises
    ------
    HintedError
        where there is none, with the nearest name
    """
    if name not in RULES:
        hint = f'"{_CALLED[name]}"' if name in _CALLED else nearest(name, RULES)
        raise HintedError(f"{where}: rule" if where else "", f'"{name}" is not known', hint)
    return RULES[name]


def checked_amount(where: str, name: str, amount: float | None) -> float:
    """The amount that a rule is given, or its usual one; NaN of a rule that takes none.

    Raises
    ------
    HintedError
        where the rule needs one, or does not allow this one
    """
    rule = known_rule(where, name)
    given = rule.usual if amount is None else amount
    place = f"{where}: amount" if where else ""
    if given is None:
        raise HintedError(place, f"{name} needs one" if where else f"{name} needs an amount", rule.hint)
    if not rule.allowed(given):
        raise HintedError(place, f"{given:g} is not allowed for {name}", rule.hint)
    return float(given)


def written_rule(name: str, amount: float) -> str:
    """The rule with its amount, as tables and pages name it, such as window(0.1)."""
    return name if math.isnan(amount) else f"{name}({amount:g})"
