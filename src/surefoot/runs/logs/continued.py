"""Trainings that continue in another folder, for example ``PPO_2`` where ``PPO_1`` ends."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.logs.account import USED, WITH_OTHERS, Entry
from surefoot.runs.logs.curves import Curve, Reading
from surefoot.runs.logs.logged_rows import joins_parts

_NUMBERED = re.compile(r"(?P<name>.*?)[_-]?(?P<number>\d+)")


def joined_runs(curves: Sequence[Curve], reading: Reading) -> list[Curve]:
    """Join curves that continue each other, or mark them as separate parts, as the user requests.

    Curves in numbered folders continue each other if each begins after the last step of the previous one. Runs with
    different seeds, in contrast, all begin at the first steps.

    Raises
    ------
    InputError
        if curves continue each other and `Reading.continued` is None; or if it is set, but no curves continue each
        other and no log has steps that restart
    """
    groups: dict[tuple[str, str, str], list[tuple[int, Curve]]] = {}
    for curve in curves:
        match = _NUMBERED.fullmatch(curve.place)
        if match and "step" in curve.points and "run" not in curve.points:
            groups.setdefault((match["name"], curve.kind, curve.metric), []).append((int(match["number"]), curve))
    joined = list(curves)
    for group in groups.values():
        ordered = [curve for _, curve in sorted(group, key=lambda numbered: numbered[0])]
        for chain in _chains(ordered):
            joined = _settled(chain, joined, reading)
    if reading.continued is not None and not reading.has_continued:
        what = "no log has steps that restart, and no log begins where another one ends"
        raise InputError("continued", what, "leave --continued out")
    return joined


def _chains(curves: Sequence[Curve]) -> list[list[Curve]]:
    """Return chains of at least two curves that continue each other, in order."""
    chains: list[list[Curve]] = []
    for before, after in pairwise(curves):
        steps = before.points["step"]
        if len(steps) > 1 and after.points["step"].min() > steps.max() > steps.min():
            if chains and chains[-1][-1] is before:
                chains[-1].append(after)
            else:
                chains.append([before, after])
    return chains


def _settled(chain: Sequence[Curve], curves: Sequence[Curve], reading: Reading) -> list[Curve]:
    """Return all curves, with the curves of the chain joined or marked as parts."""
    first, second = chain[:2]
    ends = first.points["step"].max()
    begins = second.points["step"].min()
    observation = f"it begins at step {begins:,.0f}, after {first.place} ends at step {ends:,.0f}"
    where = reading.below(second.source)
    if not joins_parts(where, second.place, observation, len(chain), reading):
        changed = {id(curve): [curve._replace(part=number)] for number, curve in enumerate(chain, 1)}
    else:
        points = pd.concat([curve.points for curve in chain], ignore_index=True)
        reading.entries += [
            Entry(reading.below(curve.source), USED, WITH_OTHERS, first.place, kind=curve.kind)
            for curve in chain[1:]
            if curve.source != first.source
        ]
        changed = {id(curve): [] for curve in chain} | {id(first): [first._replace(points=points)]}
    return [new for curve in curves for new in changed.get(id(curve), [curve])]
