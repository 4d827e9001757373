"""Sentences on what the scores say, beyond the paper too: each from the numbers of a figure."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import METHODS, METRICS
from surefoot.charts.selection import RECORDED, numbers_of_analysis
from surefoot.charts.sentences import item, joined
from surefoot.questions.aggregates import show as aggregates
from surefoot.result_tables import Tables
from surefoot.statistics.coverage.summary import level_to_ask_for

NOTHING = "Neither this run nor a record has the scores."
_SMALL = 0.05
_BIASED = 0.01
"""Median scores that move by more are named."""


def finding_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each finding; its text says so where the numbers are missing."""
    rows = []
    for name, (analyses, function) in _FINDINGS.items():
        found = [_largest(tables, analysis) for analysis in analyses]
        missing = any(table is None for table in found)
        rows.append(item(name, NOTHING if missing else function(*found, settings)))
    return rows


def _largest(tables: Tables, analysis: str) -> pd.DataFrame | None:
    """The numbers of an analysis, from the record where that is larger than this run."""
    recorded = numbers_of_analysis(tables, f"{RECORDED}{analysis}")
    return numbers_of_analysis(tables, analysis) if recorded is None else recorded


def _claim(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table[(table["algorithm"] == "SPR") & (table["size"].isin([10, 50]))].set_index(["metric", "size"])
    width = (own["high"] - own["low"]).map("{:.3f}".format)
    return (
        f"With 10 runs of SPR, 95 % of the medians span {width['median', 10]} and 95 % of the IQMs "
        f"{width['iqm', 10]}; with 50 runs, {width['median', 50]} and {width['iqm', 50]}."
    )


def _bias(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table[table["metric"] == "median"].set_index(["algorithm", "size"])["value"].unstack()
    moved = (own[100] - own[5]).sort_values(key=abs, ascending=False)
    large, small = moved[moved.abs() > _BIASED], moved[moved.abs() <= _BIASED]
    parts = [f"by {value:+.3f} for {name}" for name, value in large.items()]
    others = f"the other {len(small)}" if len(large) else "all algorithms"
    parts += [f"by at most {small.abs().max():.3f} for {others}"] if len(small) else []
    biased = ": it is biased, and not equally for all" if len(large) else ""
    return f"From 5 to 100 runs, the expected median moves {joined(parts)}{biased}."


def _level(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    own = table[(table["method"] == "percentile") & table["replacement"].astype(bool) & (table["metric"] == "iqm")]
    own = own[own["size"] == own["size"].min()].sort_values("level")
    usual = own[own["level"].sub(0.95).abs() < 1e-9].iloc[0]
    level = level_to_ask_for(own.rename(columns={"level": "confidence", "value": "coverage"}))["level"].iloc[0]
    if usual["value"] >= 0.95:
        wanted = ", which is enough"
    elif pd.isna(level):
        wanted = f"; even a nominal {100 * own['level'].iloc[-1]:g} % is not enough"
    else:
        wanted = f"; for a true 95 %, ask for a nominal {100 * level:.1f} % (interpolated between levels)"
    return (
        f"With {usual['size']} runs, a nominal 95 % interval of the IQM contains the truth in "
        f"{100 * usual['value']:.1f} ± {100 * usual['value_error']:.1f} % of samples{wanted}."
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
    spr = table.set_index("algorithm").loc["SPR"]
    interval = first[
        (first["algorithm"] == "SPR") & (first["metric"] == "iqm") & (first["method"] == "percentile")
    ].iloc[0]
    outside = not interval["low"] <= spr["iqm"] <= interval["high"]
    return (
        f"Its first {int(spr['first'])} runs have an IQM of {spr['first_iqm']:.3f} ({interval['low']:.3f} to "
        f"{interval['high']:.3f}); for all {int(spr['runs'])} it is {spr['iqm']:.3f}, "
        f"{'outside' if outside else 'inside'} that interval."
    )


def _dependence(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whether runs with the same number do alike in all games, by Friedman's test of each algorithm."""
    own = table.set_index("algorithm")
    spr, others = own.loc["SPR"], own.drop("SPR")["p_value"]
    tested = (
        f"Do runs with the same number do similarly well in all games? Friedman's test gives p = {spr['p_value']:.3f} "
        f"for SPR and {others.min():.2f} to {others.max():.2f} for the {len(others)} other algorithms; with {len(own)} "
        f"tests at a joint 5 %, p must be below {_SMALL / len(own):.4f}."
    )
    if spr["p_value"] < _SMALL / len(own):
        return f"{tested} So runs of SPR are not independent across games, and drawing whole runs widens its ranges."
    return f"{tested} So this is not shown for any algorithm."


def _training(curves: pd.DataFrame, finals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    last = curves[(curves["frames"] == curves["frames"].max()) & (curves["metric"] == "iqm")].set_index("algorithm")
    final = finals[(finals["metric"] == "iqm") & (finals["method"] == "percentile")].set_index("algorithm")
    names = [name for name in last.index if name in final.index]
    ratio = (last.loc[names, "value"] / final.loc[names, "value"] - 1).abs()
    return (
        "The curves of the paper's figure 10 are training returns; the final scores of its figure 9 are separate "
        f"evaluations. The IQMs of the {len(names)} algorithms that have both differ by up to "
        f"{100 * ratio.max():.0f} % ({ratio.idxmax()})."
    )


def _ties(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    lost = (table["value"] - table["as_published"]).abs()
    row = table.loc[lost.idxmax()]
    return (
        "Equal scores that were averaged in a different order differ in their last digits, and then the noisier side "
        f"wins. Rounding to nine decimals changes {int((lost > 1e-4).sum())} of {len(table)} probabilities of "
        f"improvement, most of all P({row['x']} > {row['y']}), from {row['as_published']:.3f} to {row['value']:.3f}."
    )


def _dm_control(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    wide = table.assign(width=table["high"] - table["low"]).pivot(
        index=["scores", "algorithm"], columns="method", values="width"
    )
    ratio = (wide["as_published"] / wide["independent_tasks"]).mean()
    return (
        "For CURL, CURL-D2RL and SUNRISE, only means and standard deviations were published. The paper's intervals for "
        "them let the mean over tasks vary as much as a single task: if tasks are independent, they are "
        f"{ratio:.2f} times too wide."
    )


_FINDINGS: dict[str, tuple[tuple[str, ...], Callable[..., str]]] = {
    "claim": (("subsamples",), _claim),
    "bias": (("subsamples",), _bias),
    "best_simulated": (("simulated_aggregates",), aggregates.finding),
    "level": (("coverage",), _level),
    "methods": (("coverage",), _methods),
    "level_simulated": (("simulated_coverage",), _level),
    "first_runs": (("run_effects", "figure_a30"), _first_runs),
    "dependence": (("run_effects",), _dependence),
    "ties": (("figure_a29",), _ties),
    "training": (("figure_a20", "figure_9"), _training),
    "dm_control": (("figure_11a",), _dm_control),
}
