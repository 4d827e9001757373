"""The protocol card of an algorithm: what one of its scores is, and who says so.

A protocol is a mapping as a study has it: fields that the author tells of all algorithms, in `algorithms` those of
single ones, and in `logs` what was read of each, with `defaults`, the names of those that the tool does by default and
the logs do not say. Light on purpose: planning and pages import it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from surefoot.curves.rules import TOLERANCE, checkpoint_of

READ = "read from the logs"
DEFAULT = "the tool's default, not stated in the logs"
TOLD = "told by the author"
BY_RULE = "by the rule of the study"
UNSTATED = "not stated"
UNSTATED_IN_LOGS = "not stated in the logs"

TITLES: Mapping[str, str] = {
    "kind": "Episodes of",
    "logged": "What is logged",
    "quantity": "Quantity",
    "episodes": "Episodes of each score that is logged",
    "deterministic": "Deterministic policy",
    "checkpoint": "Policy",
    "rule": "Score of a run",
    "steps": "Last step of training",
    "evaluations": "Scores logged in a run",
    "tool": "Logged by",
    "metric": "Name in the logs",
}
"""What a card shows, in this order, by the name of the field."""
MOST = {"episodes": "most_episodes", "steps": "most_steps", "evaluations": "most_evaluations"}
"""Fields that may be a range: the field itself is the least value, and this one the greatest."""
OF_LOGS = ("evaluations", "metric")
"""The fields that say something of logs alone."""
COMPARED = ("kind", "logged", "quantity", "metric", "episodes", "deterministic", "checkpoint", "rule", "steps")
"""The fields in which unlike values make scores incomparable; unlike tools or numbers of runs do not."""


class Stated(NamedTuple):
    """A value of a card and who says so; None where nobody does."""

    value: Any
    origin: str


Card = Mapping[str, Stated]
"""The stated values by field; those of `MOST` where they are stated."""


def cards(protocol: Mapping[str, Any], algorithms: Iterable[str] = ()) -> dict[str, Card]:
    """The card of each algorithm that the protocol speaks of, and of those that are named.

    What the author tells of an algorithm goes before what they tell of all, and that before what was read.
    """
    logs, single = protocol.get("logs") or {}, protocol.get("algorithms") or {}
    names = dict.fromkeys([*algorithms, *logs, *single])
    return {name: _card(protocol, single.get(name) or {}, logs.get(name) or {}) for name in names}


def _card(of_all: Mapping[str, Any], of_one: Mapping[str, Any], read: Mapping[str, Any]) -> Card:
    found: dict[str, Stated] = {}
    for field in TITLES:
        names = [name for name in (field, MOST.get(field)) if name]
        for source, origin in ((of_one, TOLD), (of_all, TOLD), (read, READ)):
            if source.get(field) is not None:
                said = DEFAULT if origin == READ and field in read.get("defaults", ()) else origin
                found |= {name: Stated(source[name], said) for name in names if source.get(name) is not None}
                break
        else:
            found[field] = Stated(None, UNSTATED_IN_LOGS if read else UNSTATED)
    if found["rule"].value is not None:
        found["rule"] = found["rule"]._replace(origin=BY_RULE)
        if found["checkpoint"].value is None and (checkpoint := checkpoint_of(found["rule"].value)):
            found["checkpoint"] = Stated(checkpoint, BY_RULE)
    return found


def span(card: Card, field: str) -> tuple[int, int] | None:
    """(Least, greatest) value of a field that may be a range; None where it is not stated."""
    least = card[field].value
    if least is None:
        return None
    most = card.get(MOST[field])
    return least, least if most is None else most.value


def contradictions(protocol: Mapping[str, Any]) -> list[tuple[str, str, Any, Any]]:
    """(algorithm, field, what the author tells, what the logs say) wherever the two are unlike; what a tool does by
    default may be told otherwise."""
    found = []
    for name, read in (protocol.get("logs") or {}).items():
        told = {**protocol, **((protocol.get("algorithms") or {}).get(name) or {})}
        for field in TITLES:
            said = told.get(field), read.get(field)
            if None not in said and said[0] != said[1] and field not in read.get("defaults", ()):
                found.append((name, field, *said))
    return found


def unlike_fields(found: Sequence[Card]) -> list[str]:
    """The fields in which some of the cards are unlike, of those that are compared; what is not stated is not unlike.

    Ranges are unlike where they have no value in common, and steps where one training is shorter than another by more
    than `TOLERANCE`.
    """
    return [field for field in COMPARED if _is_unlike(found, field)]


def unlike_steps(found: Sequence[Card]) -> bool:
    """Whether one training is shorter than another by more than `TOLERANCE`; steps that nobody states are not."""
    spans = [known for card in found if (known := span(card, "steps"))]
    return any(min(limits) < max(limits) * (1.0 - TOLERANCE) for limits in zip(*spans, strict=True))


def _is_unlike(found: Sequence[Card], field: str) -> bool:
    if field == "steps":
        return unlike_steps(found)
    if field in MOST:
        spans = [known for card in found if (known := span(card, field))]
        return bool(spans) and max(least for least, _ in spans) > min(most for _, most in spans)
    return len({card[field].value for card in found} - {None}) > 1
