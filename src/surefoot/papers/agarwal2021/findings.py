"""Sentences on what the scores say, beyond the paper too: each from the numbers of a figure."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import METHODS, METRICS
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import item
from surefoot.questions.aggregates import show as aggregates
from surefoot.questions.profiles import show as profiles
from surefoot.result_tables import Tables
from surefoot.statistics.coverage.summary import level_to_ask_for

NOTHING = "Neither this run nor a record has the scores."
_SMALL = 0.05


def finding_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each finding; its text says so where the numbers are missing."""
    rows = []
    for name, (analyses, function) in _FINDINGS.items():
        found = [numbers_of_analysis(tables, analysis) for analysis in analyses]
        missing = any(table is None for table in found)
        rows.append(item(name, NOTHING if missing else function(*found, settings)))
    return rows


def _claim(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table[(table["algorithm"] == "SPR") & (table["size"].isin([10, 50]))].set_index(["metric", "size"])
    width = (own["high"] - own["low"]).map("{:.3f}".format)
    return (
        f"The range that holds 95 % of the medians of 10 runs of SPR is {width['median', 10]} wide, that of the IQMs "
        f"{width['iqm', 10]}; with 50 runs {width['median', 50]} and {width['iqm', 50]}."
    )


def _bias(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table[table["metric"] == "median"].set_index(["algorithm", "size"])["value"]
    parts = [f"{name} {own[name, 100] - own[name, 5]:+.3f}" for name in dict.fromkeys(table["algorithm"])]
    return f"Expected median of 100 runs less that of 5: {', '.join(parts)}."


def _level(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table[(table["method"] == "percentile") & table["replacement"].astype(bool) & (table["metric"] == "iqm")]
    own = own[own["size"] == own["size"].min()].sort_values("level")
    usual = own[own["level"].sub(0.95).abs() < 1e-9].iloc[0]
    level = level_to_ask_for(own.rename(columns={"level": "confidence", "value": "coverage"}))["level"].iloc[0]
    if usual["value"] >= 0.95:
        wanted = "which is enough"
    elif pd.isna(level):
        wanted = f"and a nominal {100 * own['level'].iloc[-1]:g} % is not enough either"
    else:
        wanted = (
            f"to be right in 95 % there, ask for a nominal {100 * level:.1f} % (between levels that were simulated)"
        )
    return (
        f"With {usual['size']} runs a nominal 95 % interval of the IQM contains the truth in "
        f"{100 * usual['value']:.1f} ± {100 * usual['value_error']:.1f} % of the samples; {wanted}."
    )


def _methods(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table[table["level"].sub(0.95).abs() < 1e-9]
    own = own[own["replacement"].astype(bool) & (own["size"] == 10)].set_index(["metric", "method"])["value"]
    known = [name for name in METHODS if ("iqm", name) in own.index]
    parts = [
        f"{METRICS[metric]}: " + ", ".join(f"{METHODS[name]} {100 * own[metric, name]:.1f} %" for name in known)
        for metric in ("median", "iqm")
    ]
    return f"Coverage with 10 runs, drawn with replacement: {'; '.join(parts)}."


def _first_runs(table: pd.DataFrame, first: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table.set_index("algorithm")
    spr, others = own.loc["SPR"], own.drop("SPR")
    interval = first[
        (first["algorithm"] == "SPR") & (first["metric"] == "iqm") & (first["method"] == "percentile")
    ].iloc[0]
    outside = not interval["low"] <= spr["iqm"] <= interval["high"]
    p_values = others["p_value"]
    alike = spr["p_value"] < _SMALL / len(own)
    return (
        f"The first {int(spr['first'])} runs of SPR have an IQM of {spr['first_iqm']:.3f} ({interval['low']:.3f} to "
        f"{interval['high']:.3f}), all {int(spr['runs'])} of {spr['iqm']:.3f}, {'outside' if outside else 'inside'} "
        "that interval. Ranked within each game, whether runs with the same number do alike was tested for "
        f"{len(own)} algorithms: p = {spr['p_value']:.3f} for SPR (Friedman's statistic {spr['statistic']:.0f} on "
        f"{int(spr['degrees'])} degrees of freedom), and {p_values.min():.2f} to {p_values.max():.2f} for the others; "
        f"to say so at 5 % after {len(own)} tests takes p < {_SMALL / len(own):.4f}. "
        + (
            "So runs of SPR are not independent across games, and drawing whole runs widens its ranges."
            if alike
            else "So it is not shown that runs depend on one another across games."
        )
    )


def _training(curves: pd.DataFrame, finals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    last = curves[(curves["frames"] == curves["frames"].max()) & (curves["metric"] == "iqm")].set_index("algorithm")
    final = finals[(finals["metric"] == "iqm") & (finals["method"] == "percentile")].set_index("algorithm")
    names = [name for name in last.index if name in final.index]
    ratio = (last.loc[names, "value"] / final.loc[names, "value"] - 1).abs()
    return (
        f"The public curves of figure 10 are training returns; the final scores of figure 9 are separate evaluations. "
        f"Of the {len(names)} algorithms that have both, the IQMs differ by up to {100 * ratio.max():.0f} % "
        f"({ratio.idxmax()})."
    )


def _ties(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    lost = (table["value"] - table["as_published"]).abs()
    row = table.loc[lost.idxmax()]
    return (
        "Equal scores that were averaged in another order differ in their last digits, and then the noisier side wins: "
        f"of {len(table)} pairs, rounding to nine decimals moves {int((lost > 1e-4).sum())} by more than 0.0001, most "
        f"P({row['x']} > {row['y']}), from {row['as_published']:.3f} to {row['value']:.3f} "
        f"({100 * row['ties']:.1f} % ties)."
    )


def _dm_control(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    wide = table.assign(width=table["high"] - table["low"]).pivot(
        index=["scores", "algorithm"], columns="method", values="width"
    )
    ratio = (wide["as_published"] / wide["independent_tasks"]).mean()
    return (
        "CURL, CURL-D2RL and SUNRISE published means and standard deviations alone. The paper's intervals for them "
        f"take the mean over tasks to vary as much as a single task does; for independent tasks they are {ratio:.2f} "
        "times too wide."
    )


_FINDINGS: dict[str, tuple[tuple[str, ...], Callable[..., str]]] = {
    "claim": (("subsamples",), _claim),
    "bias": (("subsamples",), _bias),
    "best_200m": (("figure_9",), aggregates.finding),
    "best_100k": (("figure_a30",), aggregates.finding),
    "best_simulated": (("simulated_aggregates",), aggregates.finding),
    "dominance_100k": (("figure_7",), profiles.finding),
    "dominance_200m": (("figure_10_left",), profiles.finding),
    "level": (("coverage",), _level),
    "methods": (("coverage",), _methods),
    "level_simulated": (("simulated_coverage",), _level),
    "first_runs": (("run_effects", "figure_a30"), _first_runs),
    "ties": (("figure_a29",), _ties),
    "training": (("figure_a20", "figure_9"), _training),
    "dm_control": (("figure_11a",), _dm_control),
}
