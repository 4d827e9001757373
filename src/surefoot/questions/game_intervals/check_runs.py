"""Whether there are runs enough for each method, and scores within their bounds."""

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.errors import shortened
from surefoot.questions.game_intervals.settings import Settings
from surefoot.sources.score_table.read import few
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where a method needs a spread and a cell has a single run, and for bounds that are missing or
    left by a score."""
    needing = [name for name in settings.methods if name in INTERVAL_METHODS and INTERVAL_METHODS[name].fewest_runs > 1]
    counts = table.groupby(["algorithm", "environment"], sort=False).size()
    single = [f"{algorithm} / {environment}" for (algorithm, environment), count in counts.items() if count == 1]
    if needing and single:
        hint = f"add runs, or leave {' and '.join(needing)} out of methods"
        raise InputError(where, f"a single run has no spread: {few(single)}", hint)
    bounds = settings.bounds or {}
    known = list(dict.fromkeys(table["environment"]))
    for environment in bounds:
        if environment not in known:
            what = f'bounds names an environment "{shortened(str(environment))}", of which there are no runs'
            raise InputError(where, what, nearest(environment, known))
    if "pbp_known_bounds" in settings.methods:
        for environment, scores in table.groupby("environment", sort=False)["score"]:
            low, high = bounds.get(str(environment), (np.inf, -np.inf))
            if not low <= scores.min() <= scores.max() <= high:
                what = f"scores of {environment} from {scores.min():g} to {scores.max():g} are not within known bounds"
                raise InputError(where, what, f"bounds: {{{environment}: [least, greatest]}}")
