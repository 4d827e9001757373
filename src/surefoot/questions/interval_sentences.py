"""What is said beside intervals: whether tasks share runs, and the remarks of an answer."""

import pandas as pd

from surefoot.charts.names import METRICS, named, spelt_out
from surefoot.charts.sentences import capitalised, joined
from surefoot.statistics.runs.sharing import sharing_sentence


def sharing_of(own: pd.DataFrame, method: str = "student", what: str = "intervals") -> str:
    """What is said of whether tasks share the runs, after a sentence; nothing of tables that were recorded before.

    method : of the intervals, where the table does not say it; what : they are called
    """
    if "shared_runs" not in own:
        return ""
    method = own["method"].iloc[0] if "method" in own else method
    said = sharing_sentence(own["shared_runs"], int(own["runs"].min()), method, what)
    return f" {said}" if said else ""


def remarks_of(found: pd.DataFrame) -> str:
    """The remarks on intervals as sentences, after a sentence, each with the metrics that it is about.

    Of remarks that differ in a number alone, that of the fewest runs is told: others break their promise less. Tables
    that were recorded before there were remarks have none.
    """
    remarks = found.sort_values("runs", kind="stable").get("remark", pd.Series(dtype=str)).dropna()
    remarks = remarks[remarks != ""]
    alike = remarks.str.replace(r"\d+ (runs|degrees|%)", r"\1", regex=True)
    text = ""
    for _, of_one in remarks.groupby(alike, sort=False):
        about = found.loc[of_one.index, "metric"].unique()
        whose = "" if len(about) == found["metric"].nunique() else f"{joined(list(named(METRICS, about)))}: "
        told = spelt_out(of_one.iloc[0])
        text += f" {whose}{told}." if whose else f" {capitalised(told)}."
    return text
