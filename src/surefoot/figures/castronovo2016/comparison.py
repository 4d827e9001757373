"""Published scores, and those of the authors' library at fixed parameters, beside ours (Figures 9 and 13)."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.selection import titles
from surefoot.figures.z_values import z_chart
from surefoot.statistics.reproduction import compare

Tables = Mapping[str, pd.DataFrame]
AGENTS = "aggregate/agents"
STANDARD_ERRORS = 3.0
LIBRARY_DRAWS = 0.02
"""Relative difference that the library's own random numbers allow: it draws MDPs that are a little too tame."""

_NONE = ["item", "published", "ours", "standard_error", "z", "tolerance", "verdict", "reason"]


def with_items(agents: pd.DataFrame, kind: str = "mean") -> pd.DataFrame:
    """The agents with the names of their published scores in a column item."""
    names = kind + "/" + agents["environment"] + "/" + agents["algorithm"] + "(" + agents["parameters"] + ")"
    return agents.assign(item=names)


def comparison(tables: Tables) -> pd.DataFrame:
    """Each published score that was played beside ours, in the published order; columns as of `compare`.

    Ours are those of the variant as_published. Tolerated are three joint standard errors, and 2 % more beside the
    library's. That a published score is the best of several explains only why it is greater than ours.
    """
    agents = tables[AGENTS]
    agents = agents[agents["variant"].isin(["", "as_published"]) & agents["value"].notna()]
    ours = pd.concat([with_items(agents, kind) for kind in ("mean", "library")])
    ours = ours.rename(columns={"value": "ours"})[["item", "ours", "standard_error", "runs"]]
    published = tables["published"]
    if not published["item"].isin(ours["item"]).any():
        return pd.DataFrame({name: pd.Series(dtype=object) for name in _NONE})
    table = compare(published, ours)
    given = published.set_index("item").loc[table["item"], ["tolerance", "reason"]]
    tolerance = STANDARD_ERRORS * table["standard_error"]
    tolerance += LIBRARY_DRAWS * table["published"].abs() * table["item"].str.startswith("library/")
    exact = given["tolerance"].astype(float).to_numpy()
    table["tolerance"] = np.where(np.isnan(exact), tolerance, exact)
    difference = table["ours"] - table["published"]
    reproduced = difference.abs() <= table["tolerance"]
    reasons = given["reason"].fillna("").astype(str).to_numpy()
    explained = ~reproduced & (difference < 0) & (reasons != "")
    table["verdict"] = np.select([reproduced, explained], ["reproduced", "explained"], "differs")
    table["reason"] = np.where(explained, reasons, "")
    return table


def reproduction(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Every published score beside ours, and a chart of the differences in standard errors."""
    numbers = comparison(tables)
    points = numbers[numbers["z"].notna()]
    if points.empty:
        chart = theme.message("No agent of the paper played the 200 MDPs that a difference in standard errors needs.")
    else:
        names = points["item"].str.extract(r"^[^/]+/(?P<environment>[^/]+/[^/]+)/(?P<algorithm>[^(]+)\(")
        shown = {kind: titles(names[kind], settings, kind) for kind in ("environment", "algorithm")}
        chart = z_chart(
            points.assign(
                environment=names["environment"],
                environment_title=names["environment"].map(shown["environment"]),
                algorithm=names["algorithm"],
                title=names["algorithm"].map(shown["algorithm"]),
            ),
            STANDARD_ERRORS,
        )
    return theme.finish(chart, "Differences between our and the published scores in standard errors"), numbers


def table_scores(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """The published table of a case: the published score, ours by the program and by the text, and the record's.

    Columns environment_title, title, parameters, published, published_half_width, as_published,
    as_published_half_width, as_published_runs, the same of corrected, z, verdict, record, record_runs, record_verdict.
    """
    case = settings["case"]
    published = tables["published"]
    published = published[published["item"].str.startswith(f"mean/{case}/")]
    pattern = r"^mean/(?P<environment>[^/]+/[^/]+)/(?P<algorithm>[^(]+)\((?P<parameters>.*)\)$"
    names = published["item"].str.extract(pattern)
    table = names.assign(item=published["item"], published=published["published"])
    table["published_half_width"] = 1.96 * published["standard_error"].astype(float)
    agents = with_items(tables[AGENTS])
    for variant in ("as_published", "corrected"):
        found = agents[agents["variant"].isin(["", variant])].drop_duplicates("item").set_index("item")
        table[variant] = table["item"].map(found["value"])
        table[f"{variant}_half_width"] = 1.96 * table["item"].map(found["standard_error"])
        table[f"{variant}_runs"] = table["item"].map(found["runs"])
    compared = comparison(tables).set_index("item")
    record = tables.get("record", pd.DataFrame(columns=["item", "ours", "trials", "verdict"])).set_index("item")
    for name, source, column in (
        ("z", compared, "z"),
        ("verdict", compared, "verdict"),
        ("record", record, "ours"),
        ("record_runs", record, "trials"),
        ("record_verdict", record, "verdict"),
    ):
        table[name] = table["item"].map(source[column])
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        table.insert(0, column, table[kind].map(titles(table[kind], settings, kind)))
    return None, table.drop(columns=["environment", "algorithm", "item"]).reset_index(drop=True)


def table_agents(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """All agents with their scores and times, as the library's full table has it (section 5.2)."""
    table = tables[AGENTS].copy()
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        table.insert(0, column, table[kind].map(titles(table[kind], settings, kind)))
    return None, table


def table_z(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Paired Z-tests between the best agents of the algorithms, in both readings (Appendix C)."""
    table = tables["estimate/paired_z"].copy()
    shown = titles([*table["algorithm"], *table["opponent"]], settings, "algorithm")
    table["title"], table["opponent_title"] = table["algorithm"].map(shown), table["opponent"].map(shown)
    table["environment_title"] = table["environment"].map(titles(table["environment"], settings, "environment"))
    table["verdict"] = np.select(
        [table["differs_two_sided"] & table["differs_one_sided"], table["differs_one_sided"]],
        ["different in both readings", "different in the one-sided reading alone"],
        np.where(table["differs_two_sided"], "equal throughout", "not different"),
    )
    return None, table
