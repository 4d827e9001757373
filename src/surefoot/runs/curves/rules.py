"""Rules that reduce a learning curve to a score: their arguments, and the clauses that describe them.

Planning and pages import this module, so it imports nothing heavy.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from surefoot.errors import HintedError, nearest

SHORT_RUNS = ("error", "worst_score", "drop", "carry_forward", "truncate_to_shortest")
"""Policies for short runs: raise an error; give them the worst score of any run in their environment; leave them out;
carry their last score forward; or cut all runs at the end of the shortest.
"""
TOLERANCE = 0.05
"""Fraction of the longest run's steps by which another run may be shorter, since training episodes do not all end at
the same step.
"""
LAST = "last"
"""The score comes from the policies at the end of training."""
ALL = "all"
"""The score comes from the policies during all of training."""
SELECTED = "selected"
"""The score comes from one policy that was chosen for its high score."""
TRAINING = "training"


class RuleArgument(NamedTuple):
    """Number that a rule requires in addition to the curve.

    allowed : predicate for valid numbers
    hint : description of valid numbers
    usual : default; None if a number is required
    """

    allowed: Callable[[float], bool]
    hint: str
    usual: float | None = None


class Rule(NamedTuple):
    """Rule that reduces a curve to a score.

    clause : phrase that follows "scores" in a sentence, with the fields {argument} and {steps} (length of the training)
    checkpoint : the policies from which the score comes: `LAST`, `ALL` or `SELECTED`
    argument : the argument of the rule, or None
    lower_is_better : True if lower scores are better
    """

    clause: str
    checkpoint: str = LAST
    argument: RuleArgument | None = None
    lower_is_better: bool = False


_COUNT = RuleArgument(lambda argument: argument >= 1 and argument == int(argument), "use a whole number of at least 1")
_PART = RuleArgument(lambda argument: 0 < argument <= 1, "use a fraction of the steps, above 0 and at most 1", 0.1)
_SCORE = RuleArgument(math.isfinite, "give the score to reach")
RULES: Mapping[str, Rule] = {
    "last": Rule("taken at the end of {steps}"),
    "last_k": Rule("averaged over the last {argument:,g} that were logged in {steps}", argument=_COUNT),
    "last_episodes": Rule("averaged over the last {argument:,g} episodes of {steps}", argument=_COUNT),
    "window": Rule("averaged over the last {percent:g} % of {steps}", argument=_PART),
    "auc": Rule("averaged over {steps} (the area under the curve)", ALL),
    "steps_to": Rule("up to {argument:,g}", ALL, argument=_SCORE, lower_is_better=True),
    "best": Rule("the highest score logged in {steps} (a selected maximum, which is biased upwards)", SELECTED),
    "absolute": Rule("of the policy that was best during {steps} (selected)", SELECTED),
}
"""Rules by name; `window` is the default."""
_CALLED = {"final": "last", "max": "best", "mean": "auc", "area": "auc"}
"""Other common names of rules, mapped to the names used here."""


def known_rule(name: str) -> Rule:
    """Return a rule by name.

    Raises
    ------
    HintedError
        If the name is unknown; the hint has the nearest name.
    """
    if name not in RULES:
        hint = f'use "{_CALLED[name]}"' if name in _CALLED else nearest(name, RULES)
        raise HintedError("rule", f'"{name}" is not known', hint)
    return RULES[name]


def checked_argument(name: str, argument: float | None) -> float:
    """Return the argument of a rule, or its default; NaN if the rule takes no argument.

    Raises
    ------
    HintedError
        If the rule is unknown, or the argument is missing or not allowed.
    """
    takes = known_rule(name).argument
    if takes is None:
        if argument is None:
            return math.nan
        raise HintedError("rule_argument", f"{argument:g} is not allowed for {name}", "it takes no argument")
    chosen = takes.usual if argument is None else argument
    if chosen is None:
        raise HintedError("rule_argument", f"{name} needs an argument", takes.hint)
    if not takes.allowed(chosen):
        raise HintedError("rule_argument", f"{chosen:g} is not allowed for {name}", takes.hint)
    return float(chosen)


def written_rule(name: str, argument: float) -> str:
    """Format a rule with its argument, as in tables and pages, such as window(0.1)."""
    return name if math.isnan(argument) else f"{name}({argument:g})"


_WRITTEN = re.compile(r"(?P<name>\w+)(?:\((?P<argument>[^()]+)\))?")


def parsed(rule: str) -> tuple[str, float | None] | None:
    """Parse a rule as written by `surefoot.score_curves`, such as window(0.1), to (name, argument).

    The argument is None if absent. Return None for other text.
    """
    match = _WRITTEN.fullmatch(rule.strip())
    if match is None or match["name"] not in RULES:
        return None
    try:
        return match["name"], None if match["argument"] is None else float(match["argument"])
    except ValueError:
        return None


def clause_of(rule: str, steps: str) -> str:
    """Describe the rule in a clause, such as "averaged over the last 10 % of 1,000,000 environment steps".

    Parameters
    ----------
    rule : str
    steps : str
        Length of the training in words, or `TRAINING` if unknown.
    """
    name_and_argument = parsed(rule)
    if name_and_argument is None:
        return f"by the rule “{rule}”" + ("" if steps == TRAINING else f", in {steps}")
    name, argument = name_and_argument
    return RULES[name].clause.format(argument=argument, percent=100 * (argument or 0.0), steps=steps)
