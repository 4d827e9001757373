"""What methods are called, by their kind and name. Light on purpose: planning imports it."""

import re

from surefoot.charts.names import METHODS
from surefoot.statistics.intervals.entries import INTERVAL_METHODS
from surefoot.statistics.metrics.entries import METRICS

GAME, BOOTSTRAP, QUESTION, METRIC, SCALE = "game", "interval", "question", "metric", "scale"
"""The kinds of methods; game: intervals of the scores of the game, and of single means and distributions."""
_ACRONYM = re.compile(r"\b(anderson|bca?|dkw|iqm|min max)\b")
_AS_WRITTEN = {"anderson": "Anderson", "bca": "BCa", "min max": "min-max"}


def method_title(kind: str, name: str) -> str:
    """What a method is called within a sentence."""
    if kind == GAME and name in INTERVAL_METHODS:
        known: str = INTERVAL_METHODS[name].title
        return known
    title = _ACRONYM.sub(lambda found: _AS_WRITTEN.get(found[0], found[0].upper()), name.replace("_", " "))
    if kind == BOOTSTRAP:
        return METHODS.get(name, title)
    own: str = METRICS[name].title if kind == METRIC else ""
    return own or title
