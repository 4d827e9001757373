"""The rules by which a learning curve becomes a score: what amounts they take, and how they are told; light, since
planning and pages import it."""

import math
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from surefoot.build.errors import nearest
from surefoot.errors import HintedError

SHORT_RUNS = ("error", "worst_score", "drop", "carry_forward", "truncate_to_shortest")
"""What becomes of short runs: they are refused; get the worst score of any run in their environment; are left out; keep
their last score to the end; or all runs end where the shortest does."""
TOLERANCE = 0.05
"""Part of the steps of the longest run that another may lack: training episodes do not end at the same step."""
LAST, ALL, SELECTED = "last", "all", "selected"
"""Which policies of a training a score is of: those at its end, those all along, or one selected for its score."""
TRAINING = "training"


class Amount(NamedTuple):
    """The number that a rule takes beside the curve.

    allowed : whether a number can be
    hint : what numbers can be
    usual : the number unless another is given; None where one must be
    """

    allowed: Callable[[float], bool]
    hint: str
    usual: float | None = None


class Rule(NamedTuple):
    """How a curve becomes a score.

    clause : what follows the scores in a sentence; {amount} as the rule is given it, {steps} of the training
    checkpoint : which policies the score is of
    amount : what number it takes, if it takes one
    lower_is_better : of the scores
    """

    clause: str
    checkpoint: str = LAST
    amount: Amount | None = None
    lower_is_better: bool = False


_COUNT = Amount(lambda amount: amount >= 1 and amount == int(amount), "a whole number of them, at least 1")
_PART = Amount(lambda amount: 0 < amount <= 1, "a part of the steps, above 0 and at most 1", 0.1)
_SCORE = Amount(math.isfinite, "the score that is to be reached")
RULES: Mapping[str, Rule] = {
    "last": Rule("taken at the end of {steps}"),
    "last_k": Rule("averaged over the last {amount:,g} that were logged in {steps}", amount=_COUNT),
    "last_episodes": Rule("averaged over the last {amount:,g} episodes of {steps}", amount=_COUNT),
    "window": Rule("averaged over the last {percent:g} % of {steps}", amount=_PART),
    "auc": Rule("averaged over {steps} (the area under the curve)", ALL),
    "steps_to": Rule("up to {amount:,g}", ALL, amount=_SCORE, lower_is_better=True),
    "best": Rule("the highest that was logged in {steps} (a selected maximum, which is biased upwards)", SELECTED),
    "absolute": Rule("of the policy that did best during {steps} (selected)", SELECTED),
}
"""By name; `window` is the default."""
_CALLED = {"final": "last", "max": "best", "mean": "auc", "area": "auc"}
"""What rules are called elsewhere."""


def known_rule(name: str) -> Rule:
    """The rule of a name.

    Raises
    ------
    HintedError
        where there is none, with the nearest name
    """
    if name not in RULES:
        hint = f'"{_CALLED[name]}"' if name in _CALLED else nearest(name, RULES)
        raise HintedError("rule", f'"{name}" is not known', hint)
    return RULES[name]


def checked_amount(name: str, amount: float | None) -> float:
    """The amount that a rule is given, or its usual one; NaN of a rule that takes none.

    Raises
    ------
    HintedError
        for an unknown rule, an amount that is missing, and one that the rule does not allow
    """
    takes = known_rule(name).amount
    if takes is None:
        if amount is None:
            return math.nan
        raise HintedError("amount", f"{amount:g} is not allowed for {name}", "it takes no amount")
    given = takes.usual if amount is None else amount
    if given is None:
        raise HintedError("amount", f"{name} needs one", takes.hint)
    if not takes.allowed(given):
        raise HintedError("amount", f"{given:g} is not allowed for {name}", takes.hint)
    return float(given)


def written_rule(name: str, amount: float) -> str:
    """The rule with its amount, as tables and pages name it, such as window(0.1)."""
    return name if math.isnan(amount) else f"{name}({amount:g})"


_WRITTEN = re.compile(r"(?P<name>\w+)(?:\((?P<amount>[^()]+)\))?")


def parsed(rule: str) -> tuple[str, float | None] | None:
    """(Name, amount) of a rule as `surefoot.scores_of_curves` writes it, such as window(0.1); None of another text."""
    match = _WRITTEN.fullmatch(rule.strip())
    if match is None or match["name"] not in RULES:
        return None
    try:
        return match["name"], None if match["amount"] is None else float(match["amount"])
    except ValueError:
        return None


def clause_of(rule: str, steps: str) -> str:
    """What a sentence says of the rule: "averaged over the last 10 % of 1,000,000 environment steps".

    Parameters
    ----------
    steps : how long training was, in words, or `TRAINING` where nobody states it
    """
    found = parsed(rule)
    if found is None:
        return f"by the rule “{rule}”" + ("" if steps == TRAINING else f", in {steps}")
    name, amount = found
    return RULES[name].clause.format(amount=amount, percent=100 * (amount or 0.0), steps=steps)
