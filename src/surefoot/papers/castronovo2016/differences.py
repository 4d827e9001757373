"""Differences between published scores and ours in standard errors: each, and all of a distribution together."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.selection import titles
from surefoot.charts.z_values import z_chart
from surefoot.papers.castronovo2016.comparison import raised_by_selection
from surefoot.papers.castronovo2016.scored_agents import LIBRARY, scored_agents
from surefoot.papers.castronovo2016.scores import both_comparisons
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import COLUMNS, STANDARD_ERRORS
from surefoot.statistics.reproduction.items import quantities
from surefoot.statistics.reproduction.shared_errors import shared_error_tests


def figure_record(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Every published score beside the record's, or beside this run's where there is no record, and a chart of the
    differences in standard errors, where they are known."""
    numbers = tables[RECORD][[*COLUMNS, "trials"]] if len(tables[RECORD]) else tables[RUN].drop(columns="runs")
    points = numbers[numbers["z"].notna()]
    if points.empty:
        text = "No agent of the paper played the 200 MDPs that a difference in standard errors needs."
        return theme.finish(theme.message(text), text), numbers
    names = scored_agents(points["item"])
    shown = {kind: titles(names[kind], settings, kind) for kind in ("environment", "algorithm")}
    points = points.assign(
        environment=names["environment"],
        environment_title=names["environment"].map(shown["environment"]),
        algorithm=names["algorithm"],
        title=names["algorithm"].map(shown["algorithm"]),
    )
    description = "Differences between our scores and the published ones in standard errors"
    return theme.finish(z_chart(points, STANDARD_ERRORS, settings["algorithm_titles"]), description), numbers


def table_joint(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """A row for the published scores of each distribution over MDPs, and one for those of the authors' program.

    Columns whose ("paper" or "authors' program"), environment_title, and those of `shared_error_tests`; each score is
    that of the run or of the record, whichever has more MDPs.
    """
    rows = both_comparisons(tables, settings).sort_values("runs", kind="stable").drop_duplicates("item", keep="last")
    rows = rows[rows["standard_error"].astype(float) > 0].reset_index(drop=True)
    program, place = quantities(rows["item"]) == LIBRARY, scored_agents(rows["item"])["environment"]
    given = tables["published"].set_index("item").reindex(rows["item"]).reset_index()
    difference = (rows["ours"] - rows["published"]).astype(float) / rows["standard_error"].astype(float)
    raised = raised_by_selection(given) / rows["standard_error"].astype(float)
    whose = program.map({True: "authors' program", False: "paper"})
    groups = pd.DataFrame({"group": list(zip(whose, place, strict=True)), "z": difference, "raised": raised})
    known = {name: position for position, name in enumerate(settings["environment_titles"])}
    order = pd.DataFrame({"program": program, "place": place.map(known)}).sort_values(["program", "place"]).index
    tests = shared_error_tests(groups.loc[order])
    names = pd.DataFrame(tests.pop("group").tolist(), columns=["whose", "environment"], dtype=place.dtype)
    shown = titles(names["environment"], settings, "environment")
    tests.insert(0, "environment_title", names["environment"].map(shown))
    tests.insert(0, "whose", names["whose"])
    return None, tests
