"""How the rules by which a learning curve becomes a score are told, by their names in `surefoot.scores_of_curves`."""

import re
from collections.abc import Mapping
from typing import NamedTuple

LAST, ALL, SELECTED = "last", "all", "selected"
"""Which policies of a training a score is of: those at its end, those all along, or one selected for its score."""


TRAINING = "training"


class ToldRule(NamedTuple):
    """How a rule is told.

    clause : what follows the scores in a sentence; {amount} as the rule is given it, {steps} of the training
    checkpoint : which policies the score is of
    """

    clause: str
    checkpoint: str


RULES: Mapping[str, ToldRule] = {
    "last": ToldRule("taken at the end of {steps}", LAST),
    "last_k": ToldRule("averaged over the last {amount} that were logged in {steps}", LAST),
    "last_episodes": ToldRule("averaged over the last {amount} episodes of {steps}", LAST),
    "window": ToldRule("averaged over the last {amount} of {steps}", LAST),
    "auc": ToldRule("averaged over {steps} (the area under the curve)", ALL),
    "steps_to": ToldRule("up to {amount}", ALL),
    "best": ToldRule("the highest that was logged in {steps} (a selected maximum, which is biased upwards)", SELECTED),
    "absolute": ToldRule("of the policy that did best during {steps} (selected)", SELECTED),
}
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


def checkpoint_of(rule: str) -> str | None:
    """Which policies a score by this rule is of; None where the rule is another text."""
    found = parsed(rule)
    return None if found is None else RULES[found[0]].checkpoint


def clause_of(rule: str, steps: str) -> str:
    """What a sentence says of the rule: "averaged over the last tenth of 1,000,000 environment steps".

    Parameters
    ----------
    steps : how long training was, in words, or `TRAINING` where nobody states it
    """
    found = parsed(rule)
    if found is None:
        return f"by the rule “{rule}”" + ("" if steps == TRAINING else f", in {steps}")
    name, amount = found
    return RULES[name].clause.format(amount=_amount(name, amount), steps=steps)


def _amount(name: str, amount: float | None) -> str:
    if amount is None:
        return ""
    if name != "window":
        return f"{amount:,g}"
    return {0.1: "tenth", 0.05: "twentieth", 0.2: "fifth", 0.25: "quarter", 0.5: "half"}.get(
        amount, f"{100 * amount:g} %"
    )
