"""What to say of scores of several tasks that are averaged although they may have no common scale, or a random one."""

from typing import Any

import pandas as pd

from surefoot.result_tables import SCALE

_GREATEST_OF_A_SCALE = 100.0
"""Normalized scores are mostly below it, in percent, too; the returns of most environments are above."""
_GREATEST_OF_RATES = 1.0
MIN_MAX_REMARK = (
    "Scores are between the lowest and the highest of these runs in each environment (min_max). With other runs, these "
    "two would differ, which intervals do not allow for; reference scores that are known beforehand have no such error."
)


def scale_remark(table: pd.DataFrame, given: Any) -> str:
    """A remark on the scale of the scores, or "".

    Scores that `surefoot.normalized_scores` made say so. Others count as returns of their environments if they are
    above 1 and come from learning curves, or if in half of the tasks a typical score is above 100.

    Parameters
    ----------
    table : columns environment, score, read and checked
    given : what it was read from
    """
    if table["environment"].nunique() == 1:
        return ""
    scale = getattr(given, "attrs", {}).get(SCALE)
    if scale is not None:
        return MIN_MAX_REMARK if scale == "min_max" else ""
    typical = table["score"].abs().groupby(table["environment"], sort=False).median()
    of_curves = isinstance(given, pd.DataFrame) and "rule" in given
    limit = _GREATEST_OF_RATES if of_curves else _GREATEST_OF_A_SCALE
    if (typical.max() if of_curves else typical.median()) <= limit:
        return ""
    least, greatest = typical.idxmin(), typical.idxmax()
    return (
        f"Scores of {len(typical)} tasks are taken together as they are, and typical ones differ from "
        f"{typical[least]:,.3g} ({least}) to {typical[greatest]:,.3g} ({greatest}): unless they have a common scale, "
        "the largest decide. surefoot.normalized_scores(scores) puts them on one; checked=True drops this remark."
    )
