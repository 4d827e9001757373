"""Published numbers that a study does not judge, and why: nothing that was published goes missing in silence."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from surefoot.charts.sentences import counted, item


def not_judged(published: pd.DataFrame, compared: pd.DataFrame, reason: Callable[[str], str]) -> pd.DataFrame:
    """The published numbers that a comparison has no row of.

    Parameters
    ----------
    published : columns item, published
    compared : column item
    reason : says of an item why it has no counterpart

    Returns
    -------
    columns item, published, reason, in the published order
    """
    missing = published[~published["item"].isin(compared["item"])][["item", "published"]]
    return missing.assign(reason=[reason(name) for name in missing["item"]]).reset_index(drop=True)


def not_judged_item(missing: pd.DataFrame, published: pd.DataFrame) -> dict[str, Any]:
    """Row `not_judged`: how many of the published numbers are not judged, by reason."""
    total = counted(len(published), "published number")
    if missing.empty:
        return item("not_judged", f"All {total} are judged." if len(published) > 1 else f"Its {total} is judged.", 0)
    reasons = missing["reason"].value_counts(sort=False)
    told = "; ".join(f"{count:,} because {reason}" for reason, count in reasons.items())
    told = f"because {reasons.index[0]}" if len(reasons) == 1 else told
    return item("not_judged", f"{len(missing):,} of the {total} are not judged by this run, {told}.", len(missing))
