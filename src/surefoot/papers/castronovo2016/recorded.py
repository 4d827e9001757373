"""The large run's record beside the published scores, judged by today's rule."""

import pandas as pd

from surefoot.papers.castronovo2016.reasons import judged
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import COLUMNS

RECORDED = ("ours", "ours_standard_error", "trials", "z", "detectable", "verdict", "reason")


def recorded(tables: Tables) -> pd.DataFrame:
    """The large run's record, judged by today's rule; without rows where there is none."""
    if "record" in tables and tables["record"]["item"].isin(tables["published"]["item"]).any():
        return rejudged(tables["record"], tables["published"])
    names = dict.fromkeys((*COLUMNS, *RECORDED, "corrected", "corrected_trials"))
    return pd.DataFrame({name: pd.Series(dtype=object) for name in names})


def rejudged(record: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """The rows of a record with the verdicts of today's rule on the scores that it holds; nothing is played again.

    Rows of what is not among the published numbers are left out.
    """
    record = record[record["item"].isin(published["item"])]
    ours = record[["item", "ours"]].assign(standard_error=record["ours_standard_error"], runs=record["trials"])
    half_copied = record.set_index("item").reindex(columns=["half_copied"])["half_copied"]
    verdicts = judged(published, ours, half_copied).drop(columns="runs").set_index("item")
    others = record.set_index("item").drop(columns=[*verdicts.columns], errors="ignore")
    return verdicts.join(others).loc[record["item"]].reset_index()
