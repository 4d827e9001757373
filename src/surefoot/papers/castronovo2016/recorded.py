"""The large run's record beside the published scores, judged by today's rule."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.entries import RECORD
from surefoot.figures.selection import titles
from surefoot.figures.z_values import z_chart
from surefoot.papers.castronovo2016.reasons import judged
from surefoot.statistics.reproduction import COLUMNS, STANDARD_ERRORS

Tables = Mapping[str, pd.DataFrame]
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


def figure_record(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """As `reproduction`, of the large run's record; without rows where there is none."""
    record = tables[RECORD]
    numbers = record[[*COLUMNS, "trials"]]
    chart = differences(numbers, settings) if len(numbers) else theme.message("No record of a large run is here.")
    description = "Differences between the scores of the large run and the published ones in standard errors"
    return theme.finish(chart, description), numbers


def differences(numbers: pd.DataFrame, settings: Mapping) -> alt.TopLevelMixin:
    """Chart of z, where it is known."""
    points = numbers[numbers["z"].notna()]
    if points.empty:
        return theme.message("No agent of the paper played the 200 MDPs that a difference in standard errors needs.")
    names = points["item"].str.extract(r"^[^/]+/(?P<environment>[^/]+/[^/]+)/(?P<algorithm>[^(]+)\(")
    shown = {kind: titles(names[kind], settings, kind) for kind in ("environment", "algorithm")}
    points = points.assign(
        environment=names["environment"],
        environment_title=names["environment"].map(shown["environment"]),
        algorithm=names["algorithm"],
        title=names["algorithm"].map(shown["algorithm"]),
    )
    return z_chart(points, STANDARD_ERRORS)
