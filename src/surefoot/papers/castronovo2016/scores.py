"""Published scores, and those of the authors' program, beside ours: tables, and the differences in standard errors."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.bayesian.registry import EXPERIMENTS
from surefoot.charts import theme
from surefoot.charts.drawing import RECORD, RUN
from surefoot.charts.published_numbers import z_chart
from surefoot.charts.selection import titles
from surefoot.papers.castronovo2016.comparison import (
    AGENTS,
    LIBRARY,
    MEAN,
    RECORDED,
    our_scores,
    raised_by_selection,
    scored_agents,
    with_items,
)
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.comparison.plays import NORMAL_QUANTILE
from surefoot.statistics.reproduction.comparison import COLUMNS, STANDARD_ERRORS
from surefoot.statistics.reproduction.items import of_quantity, quantities, with_quantity
from surefoot.statistics.reproduction.joint_tests import shared_error_tests

NOT_RUN = "not run yet"


NO_REASON = "none: it counts as differing"


def table_scores(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The published table of a case: the published score, the record's and ours.

    Columns environment_title, title, parameters, agent, experiment, published, published_half_width, and those of
    `_with_verdicts`.
    """
    published = tables["published"]
    published = of_quantity(published, MEAN)
    published = published[scored_agents(published["item"])["case"] == settings["case"]]
    table = _published_rows(published, settings)
    table["experiment"] = _experiments(table["item"])
    return None, _with_verdicts(table, tables, settings).drop(columns="item")


def table_library(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The scores of the authors' program at fixed parameters, which no selection has raised, beside ours.

    Columns environment_title, title, parameters, agent, published, published_half_width, published_runs, and those of
    `_with_verdicts`.
    """
    published = tables["published"]
    published = of_quantity(published, LIBRARY)
    table = _published_rows(published, settings).assign(published_runs=published["runs"].to_numpy())
    return None, _with_verdicts(table, tables, settings).drop(columns="item")


def table_corrections(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Agents of a case of which this run or the record has played the variant corrected, beside as_published.

    Columns environment_title, title, parameters, agent, experiment; of both variants the score, half_width, runs and
    text (such as "40.87 ± 1.20 (50)"); recorded_as_published and recorded_corrected, as texts too. The record keeps no
    spread of corrected scores.
    """
    agents = with_items(tables[AGENTS]).set_index("item")
    record = tables[RECORD]
    record = record[record["corrected"].notna()]
    # An agent may be in the record twice, beside the published score and beside the library's.
    record = record.assign(item=with_quantity(record["item"], MEAN))
    record = record.drop_duplicates("item").set_index("item")
    found = [*agents.index[agents["variant"] == "corrected"], *record.index]
    items = pd.Series(list(dict.fromkeys(found)), dtype=str)
    items = _in_order(items[scored_agents(items)["case"] == settings["case"]], settings)
    table = named(items, settings).assign(item=items)
    table["experiment"] = _experiments(items)
    for variant in ("as_published", "corrected"):
        scores = agents[agents["variant"] == variant]
        value, half_width, runs = (table["item"].map(scores[name]) for name in ("value", "standard_error", "runs"))
        table[variant] = value
        table[f"{variant}_half_width"] = NORMAL_QUANTILE * half_width.astype(float)
        table[f"{variant}_runs"] = runs.astype("Int64")
        table[f"{variant}_text"] = _texts(value, table[f"{variant}_half_width"], table[f"{variant}_runs"], None)
    for variant, column, runs in (("as_published", "ours", "trials"), ("corrected", "corrected", "corrected_trials")):
        score, count = (table["item"].map(record[name]) for name in (column, runs))
        table[f"recorded_{variant}"] = _texts(score, [np.nan] * len(score), count, None)
    return None, table.drop(columns="item")


def _in_order(items: pd.Series, settings: Mapping[str, Any]) -> pd.Series:
    """Items of agents in the order in which environments and, in each, algorithms have titles."""
    names = scored_agents(items)
    for kind in ("environment", "algorithm"):
        places = {name: place for place, name in enumerate(settings[f"{kind}_titles"])}
        names[kind] = names[kind].map(places)
    return items.loc[names.sort_values(["environment", "algorithm"], kind="stable").index].reset_index(drop=True)


def _experiments(items: pd.Series) -> pd.Series:
    """The titles of the experiments that items are of."""
    shown = {name: experiment.title for name, experiment in EXPERIMENTS.items()}
    return scored_agents(items)["experiment"].map(lambda name: shown.get(name, name))


def _texts(
    scores: Sequence[Any], half_widths: Sequence[Any], runs: Sequence[Any], missing: str | None
) -> list[str | None]:
    """Scores with half-widths, where they are known, and numbers of MDPs, such as "40.62 ± 1.55 (500)"."""
    texts = []
    for score, half_width, count in zip(scores, half_widths, runs, strict=True):
        width = "" if pd.isna(half_width) else f" ± {written(half_width, '.2f')}"
        texts.append(missing if pd.isna(score) else f"{written(score, '.2f')}{width} ({count:,.0f})")
    return texts


def _published_rows(published: pd.DataFrame, settings: Mapping[str, Any]) -> pd.DataFrame:
    table = named(published["item"], settings).assign(item=published["item"], published=published["published"])
    # An exact score has no standard error.
    half_width = NORMAL_QUANTILE * published["standard_error"].astype(float).fillna(0.0)
    return table.assign(published_half_width=half_width).reset_index(drop=True)


def named(items: pd.Series, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Columns environment_title, title, parameters and agent, the two together, of items of agents."""
    names = scored_agents(items)
    table = pd.DataFrame({"parameters": names["parameters"]})
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        table.insert(0, column, names[kind].map(titles(names[kind], settings, kind)))
    shown = table["parameters"].str.removeprefix("formula=")
    return table.assign(agent=table["title"] + ("(" + shown + ")").where(shown != "", ""))


def _with_verdicts(table: pd.DataFrame, tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The rows with what this run and the record have of them.

    Of this run: ours, ours_half_width, ours_runs, our_text, z, detectable, verdict, reason; none where it is not to be
    compared. Of the record: record, record_half_width, record_runs, record_z, record_detectable, record_verdict,
    record_reason, and record_text, which says if there is none. Of that of the two which has more MDPs: larger_runs,
    larger_z, larger_detectable, larger_verdict.
    """
    compared = tables[RUN].set_index("item")
    for name in ("ours", "runs", "z", "detectable", "verdict", "reason"):
        table[name] = table["item"].map(compared[name])
    errors = table["item"].map(our_scores(tables)["standard_error"])
    table["ours_half_width"] = NORMAL_QUANTILE * errors.where(table["ours"].notna())
    table["runs"] = table["runs"].astype("Int64")
    table["our_text"] = _texts(table["ours"], table["ours_half_width"], table["runs"], None)
    record = tables[RECORD].set_index("item")
    names = ["record", "record_standard_error", "record_runs"]
    names += ["record_z", "record_detectable", "record_verdict", "record_reason"]
    for name, column in zip(names, RECORDED, strict=True):
        table[name] = table["item"].map(record[column])
    table["record_runs"] = table["record_runs"].astype("Int64")
    table["record_half_width"] = NORMAL_QUANTILE * table.pop("record_standard_error").astype(float)
    table["record_text"] = _texts(table["record"], table["record_half_width"], table["record_runs"], NOT_RUN)
    larger = table["record_runs"].fillna(0) >= table["runs"].fillna(0)
    for name in ("runs", "z", "detectable", "verdict"):
        table[f"larger_{name}"] = table[name].where(~larger, table[f"record_{name}"])
    return table.rename(columns={"runs": "ours_runs"})


def table_deviations(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Published scores that this run or the record finds to lie elsewhere, with the reason where there is one.

    Columns source ("this run" or "large run"), environment_title, title, parameters, agent, published, ours, runs,
    standard_errors (the difference in joint standard errors, of few runs too), allowed (the largest difference that the
    reason explains), verdict, reason.
    """
    both = _both_named(tables, settings, ("explained", "differs"))
    both["standard_errors"] = (both["ours"] - both["published"]) / both["standard_error"]
    both["reason"] = both["reason"].fillna("").replace("", NO_REASON)
    return None, both[[*_NAMED, "standard_errors", "allowed", "verdict", "reason"]]


_NAMED = ["source", "environment_title", "title", "parameters", "agent", "published", "ours", "runs"]


def _both_named(tables: Tables, settings: Mapping[str, Any], verdicts: Sequence[str]) -> pd.DataFrame:
    """The rows of `both_comparisons` with one of these verdicts, with the columns of `named`."""
    both = both_comparisons(tables, settings)
    both = both[both["verdict"].isin(verdicts)].reset_index(drop=True)
    both["source"] += (quantities(both["item"]) == LIBRARY).map({True: ", authors' program", False: ""})
    return both.join(named(both["item"], settings))


def both_comparisons(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The comparisons of this run and of the record, with their source and the number of MDPs, runs."""
    live = tables[RUN].assign(source="this run")
    kept = tables[RECORD].rename(columns={"trials": "runs"}).assign(source="large run")
    parts = [part for part in (live, kept) if len(part)]
    return pd.concat(parts, ignore_index=True) if parts else live


def larger_comparison(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The rows of `both_comparisons`, of each published score the one with more MDPs."""
    rows = both_comparisons(tables, settings).sort_values("runs", kind="stable").drop_duplicates("item", keep="last")
    place = {name: number for number, name in enumerate(tables["published"]["item"])}
    return rows.sort_values("item", key=lambda items: items.map(place), ignore_index=True)


def table_z(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Paired Z-tests between the best agents of the algorithms, in both readings (Appendix C)."""
    table = tables["estimate/paired_z"].copy()
    shown = titles([*table["algorithm"], *table["opponent"]], settings, "algorithm")
    table["title"], table["opponent_title"] = table["algorithm"].map(shown), table["opponent"].map(shown)
    table["environment_title"] = table["environment"].map(titles(table["environment"], settings, "environment"))
    table["variant_title"] = table["variant"].str.replace("_", " ")
    table["verdict"] = np.select(
        [table["differs_two_sided"] & table["differs_one_sided"], table["differs_one_sided"]],
        ["different in both readings", "different in the one-sided reading alone"],
        np.where(table["differs_two_sided"], "equal throughout", "not different"),
    )
    return None, table


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
