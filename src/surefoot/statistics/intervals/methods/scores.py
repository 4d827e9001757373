"""The table of a method that limits the aggregate scores."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.estimation import Options, variants_of
from surefoot.statistics.intervals.methods.table import finished, with_limits
from surefoot.statistics.runs.samples import Samples


def score_intervals(
    samples: Samples, method: str, options: Options, limits: Callable[..., Any], replicates: int | None = None
) -> pd.DataFrame:
    """Aggregate scores with their limits and ranks; `limits` is the function of the method's module."""
    scores = play(payoffs(samples)).scores
    known = variants_of(method)
    variant = options.variant if options.variant in known else known[0]
    low, high = limits(samples, method, options, (variant,))[variant]
    table = pd.DataFrame({"aggregate": "game_score", "algorithm": samples.algorithms, "environment": ""})
    table = with_limits(table, scores, low, high, 1.0 - options.delta)
    return finished(table, method, samples.smallest_size(), replicates).assign(ties=samples.tied())
