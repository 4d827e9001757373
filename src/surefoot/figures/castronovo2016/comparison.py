"""Published scores, and those of the authors' library at fixed parameters, beside ours (Figures 9 and 13)."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.selection import titles
from surefoot.figures.z_values import z_chart
from surefoot.rounding import written
from surefoot.statistics.plays import NORMAL_QUANTILE
from surefoot.statistics.reproduction import compare, expected_greatest

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
    library's. That a published score is the best of several explains only why it is greater than ours, and only by as
    much more as one may expect of the greatest of so many equal means. That the program read memory it never filled
    explains what lies between our score of the variant half_copied and that of as_published, by the same tolerance.
    """
    agents = tables[AGENTS]
    agents = agents[agents["value"].notna()]
    half_copied = with_items(agents[agents["variant"] == "half_copied"]).set_index("item")
    agents = agents[agents["variant"].isin(["", "as_published"])]
    ours = pd.concat([with_items(agents, kind) for kind in ("mean", "library")])
    ours = ours.rename(columns={"value": "ours"})[["item", "ours", "standard_error", "runs"]]
    published = tables["published"]
    if not published["item"].isin(ours["item"]).any():
        return pd.DataFrame({name: pd.Series(dtype=object) for name in _NONE})
    table = compare(published, ours)
    given = published.set_index("item").loc[table["item"], ["tolerance", "reason", "choices", "standard_error"]]
    tolerance = STANDARD_ERRORS * table["standard_error"]
    tolerance += LIBRARY_DRAWS * table["published"].abs() * table["item"].str.startswith("library/")
    exact = given["tolerance"].astype(float).to_numpy()
    table["tolerance"] = np.where(np.isnan(exact), tolerance, exact)
    difference = table["ours"] - table["published"]
    reproduced = difference.abs() <= table["tolerance"]
    reasons = given["reason"].fillna("").astype(str).to_numpy()
    selected = [expected_greatest(int(count)) if count > 1 else 0.0 for count in given["choices"].astype(float)]
    selected = selected * given["standard_error"].astype(float).fillna(0.0).to_numpy()
    explained = ~reproduced & (difference < 0) & (-difference <= table["tolerance"] + selected) & (reasons != "")
    table["reason"] = np.where(explained, reasons, "")
    other = table["item"].map(half_copied["value"])
    other_tolerance = STANDARD_ERRORS * np.hypot(
        table["item"].map(half_copied["standard_error"]), given["standard_error"].astype(float).to_numpy()
    )
    # The other score is at the published one or beyond it, seen from ours; false where that variant was not played.
    reached = np.sign(difference) * (other - table["published"]) <= other_tolerance
    memory = ~reproduced & ~explained & reached
    table.loc[memory, "reason"] = [
        f"undefined memory: the program copies half of the counts; with zeros for the others ours is {score:.2f}"
        for score in other[memory]
    ]
    table["verdict"] = np.select([reproduced, explained | memory], ["reproduced", "explained"], "differs")
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


NOT_RUN = "not run yet"
NO_REASON = "none: it counts as differing"
_NAMES = r"^(?P<kind>[^/]+)/(?P<environment>[^/]+/[^/]+)/(?P<algorithm>[^(]+)\((?P<parameters>.*)\)$"
_RECORDED = ("ours", "ours_standard_error", "trials", "z", "verdict", "reason")


def table_scores(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """The published table of a case: the published score, ours by the program and by the text, and the record's.

    Columns environment_title, title, parameters, agent, experiment, published, published_half_width, as_published,
    as_published_half_width, as_published_runs, the same of corrected, and those of `_with_verdicts`.
    """
    published = tables["published"]
    published = published[published["item"].str.startswith(f"mean/{settings['case']}/")]
    table = _published_rows(published, settings)
    table["experiment"] = table["environment_title"].str.partition(",")[0]
    agents = with_items(tables[AGENTS])
    for variant in ("as_published", "corrected"):
        found = agents[agents["variant"].isin(["", variant])].drop_duplicates("item").set_index("item")
        table[variant] = table["item"].map(found["value"])
        table[f"{variant}_half_width"] = NORMAL_QUANTILE * table["item"].map(found["standard_error"])
        table[f"{variant}_runs"] = table["item"].map(found["runs"]).astype("Int64")
    return None, _with_verdicts(table, tables).drop(columns="item")


def table_library(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """The scores of the authors' program at fixed parameters, which no selection has raised, beside ours.

    Columns environment_title, title, parameters, agent, published, published_half_width, published_runs, ours,
    ours_runs, and those of `_with_verdicts`.
    """
    published = tables["published"]
    published = published[published["item"].str.startswith("library/")]
    table = _published_rows(published, settings).assign(published_runs=published["runs"].to_numpy())
    agents = with_items(tables[AGENTS], "library")
    agents = agents[agents["variant"].isin(["", "as_published"])].set_index("item")
    for name, column in (("ours", "value"), ("ours_runs", "runs")):
        table[name] = table["item"].map(agents[column])
    table["ours_runs"] = table["ours_runs"].astype("Int64")
    return None, _with_verdicts(table, tables).drop(columns="item")


def _published_rows(published: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    table = _named(published["item"], settings).assign(item=published["item"], published=published["published"])
    # An exact score has no standard error.
    half_width = NORMAL_QUANTILE * published["standard_error"].astype(float).fillna(0.0)
    return table.assign(published_half_width=half_width).reset_index(drop=True)


def _named(items: pd.Series, settings: Mapping) -> pd.DataFrame:
    """Columns environment_title, title, parameters and agent, the two together, of items of agents."""
    names = items.astype(str).str.extract(_NAMES)
    table = pd.DataFrame({"parameters": names["parameters"]})
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        table.insert(0, column, names[kind].map(titles(names[kind], settings, kind)))
    shown = table["parameters"].str.removeprefix("formula=")
    return table.assign(agent=table["title"] + ("(" + shown + ")").where(shown != "", ""))


def _with_verdicts(table: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """The rows with z, verdict and reason of this run, and those of the record: record, record_half_width,
    record_runs, record_z, record_verdict, record_reason, record_corrected, and record_text, which says if there is
    none. Those of the larger run: larger_runs, larger_z, larger_verdict."""
    compared = comparison(tables).set_index("item")
    for name in ("z", "verdict", "reason"):
        table[name] = table["item"].map(compared[name])
    record = recorded(tables).set_index("item")
    names = ["record", "record_standard_error", "record_runs", "record_z", "record_verdict", "record_reason"]
    for name, column in zip([*names, "record_corrected"], [*_RECORDED, "corrected"], strict=True):
        table[name] = table["item"].map(record[column])
    table["record_runs"] = table["record_runs"].astype("Int64")
    table["record_half_width"] = NORMAL_QUANTILE * table.pop("record_standard_error").astype(float)
    table["record_text"] = [
        NOT_RUN if pd.isna(value) else f"{written(value, '.2f')} ± {written(width, '.2f')} ({runs:,.0f})"
        for value, width, runs in zip(table["record"], table["record_half_width"], table["record_runs"], strict=True)
    ]
    runs = table.filter(regex="^(as_published|ours)_runs$").iloc[:, 0]
    larger = table["record_runs"].fillna(0) >= runs.fillna(0)
    for name, mine in (("runs", runs), ("z", table["z"]), ("verdict", table["verdict"])):
        table[f"larger_{name}"] = mine.where(~larger, table[f"record_{name}"])
    return table


def recorded(tables: Tables) -> pd.DataFrame:
    """The large run's record; without rows where there is none."""
    if "record" in tables:
        return tables["record"]
    return pd.DataFrame({name: pd.Series(dtype=object) for name in ("item", "corrected", *_RECORDED)})


def table_deviations(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Published scores that this run or the record does not reproduce, with the reason where there is one.

    Columns source ("this run" or "large run"), environment_title, title, parameters, agent, published, ours, runs,
    standard_errors (the difference in joint standard errors, of few runs too), verdict, reason.
    """
    agents = pd.concat([with_items(tables[AGENTS], kind) for kind in ("mean", "library")])
    agents = agents[agents["variant"].isin(["", "as_published"])].set_index("item")
    live = comparison(tables)
    live = live.assign(runs=live["item"].map(agents["runs"]), source="this run")
    kept = recorded(tables).rename(columns={"trials": "runs"}).assign(source="large run")
    both = pd.concat([part for part in (live, kept) if len(part)], ignore_index=True) if len(live) + len(kept) else live
    both = both[both["verdict"] != "reproduced"].reset_index(drop=True)
    both["source"] += both["item"].astype(str).str.startswith("library/").map({True: ", authors' program", False: ""})
    both = both.join(_named(both["item"], settings))
    both["standard_errors"] = (both["ours"] - both["published"]) / both["standard_error"]
    both["reason"] = both["reason"].fillna("").replace("", NO_REASON)
    columns = ["source", "environment_title", "title", "parameters", "agent", "published", "ours", "runs"]
    return None, both[[*columns, "standard_errors", "verdict", "reason"]]


def table_agents(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """All agents with their scores and times, as the library's full table has it (section 5.2); the times of single
    decisions where the study keeps them."""
    table = tables[AGENTS].copy()
    for column in ("decision_mean", "decision_longest"):
        table[column] = table.get(column, np.nan)
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
