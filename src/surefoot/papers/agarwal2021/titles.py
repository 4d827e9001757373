"""What each figure shows, in a sentence from its numbers: its title, and what is told to those who do not see it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.names import METRICS, PROFILES, SCORES, named
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import counted, item, joined
from surefoot.papers.agarwal2021.claims import neighbouring_overlaps
from surefoot.result_tables import Tables
from surefoot.rounding import written

_FEW = 10
"""Runs of the examples in titles, as many as most studies can afford at most."""
_PERCENTILE = "percentile"
_HALF = 0.5


def title_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row `title/<figure>` for each figure; empty where its numbers are missing."""
    rows = []
    for name, (analyses, function) in _TITLES.items():
        found = [numbers_of_analysis(tables, analysis) for analysis in analyses]
        missing = any(table is None for table in found)
        rows.append(item(f"title/{name}", "" if missing else function(*(_called(table, settings) for table in found))))
    return rows


def _called(table: pd.DataFrame, settings: Mapping[str, Any]) -> pd.DataFrame:
    """With the titles of algorithms in place of their names."""
    columns = [column for column in ("algorithm", "x", "y") if column in table]
    return table.assign(**{column: named(settings["algorithm_titles"], table[column]) for column in columns})


def _score(value: float) -> str:
    return written(float(value), ".2f")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _ranges(table: pd.DataFrame) -> str:
    own = table[table["size"] == _FEW]
    width = (own["high"] - own["low"]).groupby([own["algorithm"], own["metric"]]).first().unstack()
    narrower = int((width["iqm"] < width["median"]).sum())
    whose = f"all {len(width)}" if narrower == len(width) else f"{narrower} of {len(width)}"
    return f"With {_FEW} runs, the IQM varies less than the median for {whose} algorithms"


def _densities(table: pd.DataFrame) -> str:
    overlap = neighbouring_overlaps(table)
    if all(overlap):
        return "With so few runs, the ranges of the medians of neighbouring algorithms all overlap"
    return (
        f"With so few runs, the ranges of the medians overlap for {sum(overlap)} of {len(overlap)} neighbouring pairs"
    )


def _lifts(table: pd.DataFrame) -> str:
    lift = min(value for value in table["lift"].unique() if value > 0)
    needed = {}
    for metric, rows in table[table["lift"] == lift].sort_values("size").groupby("metric", sort=False):
        clear = (rows["low"] > 0)[::-1].cummin()[::-1]
        most = rows["size"].max()
        needed[metric] = f"{rows['size'][clear].min()} runs" if clear.any() else f"more than {most} runs"
    told = joined([f"{number} by the {_said(metric)}" for metric, number in needed.items()])
    return f"Detecting a lift of {lift:g} % takes {told}"


def _said(metric: str) -> str:
    title = METRICS.get(metric, metric).removesuffix(" ↓")
    return title if title.isupper() else title[:1].lower() + title[1:]


def _protocols(table: pd.DataFrame) -> str:
    last = table[table["metric"] == "median"].sort_values("size").drop_duplicates("protocol", keep="last")
    value = last.set_index("protocol")["value"]
    plain = next(name for name in value.index if "," not in name and any(f"{name}," in other for other in value.index))
    others = value[[name.startswith(f"{plain},") for name in value.index]]
    return (
        f"The same runs of {plain} have a median of {_score(value[plain])}, or up to {_score(others.max())} if a "
        "maximum is reported"
    )


def _histograms(table: pd.DataFrame) -> str:
    """By the skewness of the binned scores."""
    skewed, games = 0, 0
    for _, bins in table.groupby("environment"):
        centre, weight = (bins["low"] + bins["high"]) / 2, bins["count"]
        mean = np.average(centre, weights=weight)
        spread = np.sqrt(np.average((centre - mean) ** 2, weights=weight))
        games += 1
        skewed += bool(spread > 0 and abs(np.average((centre - mean) ** 3, weights=weight)) > spread**3)
    return f"In {skewed} of {games} games, the scores of DER are strongly skewed"


def _differences(table: pd.DataFrame) -> str:
    few = table[(table["size"] == 5) & (table["metric"] == "median")]
    unclear = few[(few["low"] < 0) & (few["high"] > 0)]
    if unclear.empty:
        return "Five runs each suffice to order each of these pairs by the median"
    row = unclear.iloc[0]
    return (
        f"With five runs each, the median of {row['x']} can come out {_score(-row['low'])} below that of {row['y']} or "
        f"{_score(row['high'])} above it"
    )


def _trimmed(table: pd.DataFrame) -> str:
    own = table[table["resampled"] == "runs"]
    best = own.loc[own.groupby("algorithm")["value"].idxmin(), "fraction"]
    cut = f"{best.min():g} to {best.max():g}"
    return f"With runs drawn game by game, the error is smallest when {cut} is cut from each end"


def _coverage(table: pd.DataFrame) -> str:
    own = table[(table["level"].sub(0.95).abs() < 1e-9) & table["replacement"].astype(bool) & (table["size"] == _FEW)]
    own = own[own["method"] == _PERCENTILE].set_index("metric")["value"]
    return (
        f"With {_FEW} runs drawn with replacement, 95 % percentile intervals contain the IQM in "
        f"{100 * own['iqm']:.1f} % of samples and the median in {100 * own['median']:.1f} %"
    )


def _width(table: pd.DataFrame) -> str:
    own = table[(table["level"].sub(0.95).abs() < 1e-9) & table["replacement"].astype(bool) & (table["size"] == _FEW)]
    own = own[own["method"] == _PERCENTILE].set_index("metric")["width"]
    return (
        f"With {_FEW} runs, the interval of the IQM is {_percent(own['iqm'] / own['median'])} as wide as the median's"
    )


def _level(table: pd.DataFrame) -> str:
    own = table[(table["method"] == _PERCENTILE) & table["replacement"].astype(bool) & (table["metric"] == "iqm")]
    few = own[own["size"] == own["size"].min()]
    enough = few[few["value"] >= 0.95]
    size = few["size"].iloc[0]
    if enough.empty:
        return f"With {size} runs, no nominal level that was tried contains the IQM in 95 % of samples"
    return (
        f"With {size} runs, it takes a nominal {100 * enough['level'].min():g} % to contain the IQM in 95 % of samples"
    )


def _task_coverage(table: pd.DataFrame) -> str:
    most = table[table["size"] == table["size"].max()]
    below = int((most["value"] < 0.95).sum())
    size = most["size"].iloc[0]
    return (
        f"With {size} runs, 95 % intervals contain a game's mean in less than 95 % of samples in {below} of "
        f"{len(most)} games"
    )


def _of_scores(table: pd.DataFrame, told: Callable[[pd.DataFrame], str]) -> str:
    """What is told of each set of scores, one after the other."""
    parts = [(SCORES.get(scores, scores), told(rows)) for scores, rows in table.groupby("scores", sort=False)]
    if len(parts) == 1:
        return parts[0][1]
    benchmark = f"{parts[0][0].partition(', ')[0]}, "
    (first, text), *others = parts
    return "; ".join([f"{first}: {text}", *(f"{scores.removeprefix(benchmark)}: {told}" for scores, told in others)])


def _those_of(names: Sequence[str]) -> str:
    whose = joined(names) if len(names) <= 3 else counted(len(names), "other")
    return f"{'that' if len(names) == 1 else 'those'} of {whose}"


def _highest(metric: str) -> Callable[[pd.DataFrame], str]:
    """Which algorithm is best by a metric, and with whose interval its own overlaps."""

    def told(table: pd.DataFrame) -> str:
        own = table[(table["metric"] == metric) & (table["method"] == _PERCENTILE)].sort_values("value")
        best, others = own.iloc[-1], own.iloc[:-1]
        near = [row.algorithm for row in others.iloc[::-1].itertuples() if row.high >= best["low"]]
        leads = f"{best['algorithm']} has the highest {_said(metric)}, {_score(best['value'])}"
        if not near:
            return f"{leads}, and its interval lies above all others"
        return f"{leads}, with an interval that overlaps {_those_of(near)}"

    return lambda table: _of_scores(table, told)


def _tasks_too(tasks: pd.DataFrame, runs: pd.DataFrame) -> str:
    both = tasks.merge(runs, on=["algorithm", "metric"], suffixes=("", "_runs"))
    ratio = (both["high"] - both["low"]) / (both["high_runs"] - both["low_runs"])
    return f"Resampling games as well as runs makes the intervals {ratio.median():.1f} times as wide (median)"


def _alternatives(table: pd.DataFrame) -> str:
    best = table.loc[table.groupby("metric")["value"].idxmax()].set_index("metric")
    hard, above = (best.loc[name] for name in ("difficulty_progress", "probability_above"))
    return (
        f"{hard['algorithm']} has the best lowest quarter of scores; {above['algorithm']} is most often above the "
        "human score"
    )


def _gaps(table: pd.DataFrame) -> str:
    least = table.loc[table.groupby("gamma")["value"].idxmin()].sort_values("gamma")
    changes = least[least["algorithm"] != least["algorithm"].shift()]
    names = list(changes["algorithm"])
    if len(names) == 1:
        return f"{names[0]} has the smallest gap for every target"
    first, last = changes["gamma"].iloc[1], changes["gamma"].iloc[-1]
    return f"{names[0]} has the smallest gap for targets below {first:.2g}, {names[-1]} for those above {last:.2g}"


def _highest_profile(kind: str = "run_scores") -> Callable[[pd.DataFrame], str]:
    """Whose profile is the highest on average, and below whose it falls somewhere."""

    def told(table: pd.DataFrame) -> str:
        own = table[(table["profile"] == kind) & (table["algorithm"] != "")]
        curves = own.pivot(index="threshold", columns="algorithm", values="value")
        best = curves.mean().idxmax()
        higher = curves.drop(columns=best).gt(curves[best], axis=0).any()
        crossing = [name for name in own["algorithm"].unique() if name != best and higher[name]]
        if not crossing:
            return f"{best} has the highest profile at every score"
        return f"{best} has the highest profile on average, but falls below {_those_of(crossing)} at some scores"

    return lambda table: _of_scores(table, told)


def _crossing(table: pd.DataFrame) -> str:
    own = table[(table["profile"] == "run_scores") & (table["algorithm"] != "")]
    curves = own.pivot(index="threshold", columns="algorithm", values="value")
    pairs = list(combinations(curves, 2))
    crossing = sum(bool((curves[a] > curves[b]).any() and (curves[a] < curves[b]).any()) for a, b in pairs)
    return f"In {crossing} of {len(pairs)} pairs, the profiles cross: neither algorithm is better at every score"


def _both_profiles(table: pd.DataFrame) -> str:
    width = (table["high"] - table["low"]).groupby(table["profile"]).mean()
    ratio = width["average_scores"] / width["run_scores"]
    return f"{_highest_profile()(table)}; bands of {PROFILES['average_scores']} are {ratio:.1f} times as wide"


def _efficiency(table: pd.DataFrame) -> str:
    iqm = table[table["metric"] == "iqm"].pivot(index="frames", columns="algorithm", values="value").sort_index()
    early, late = 10, iqm.index[-1]
    told = f"{iqm.loc[late].idxmax()} has the highest IQM after {late:g} million frames"
    return f"{told}, {iqm.loc[early].idxmax()} after {early} million" if early in iqm.index else told


def _improvement(table: pd.DataFrame) -> str:
    over = table[table["x"] != table["y"]]
    best = over.groupby("x")["value"].mean().idxmax()
    own = over[over["x"] == best].set_index("y")["value"]
    if (own > _HALF).all():
        span = f"{_score(own.min())} to {_score(own.max())}"
        return f"A run of {best} beats one of any other algorithm with probability {span}"
    return f"A run of {best} more often wins than loses against {int((own > _HALF).sum())} of {len(own)} others"


def _claimed_pairs(table: pd.DataFrame) -> str:
    shown = table["low"] > _HALF
    text = f"{int(shown.sum())} of {len(table)} claimed improvements have an interval above 0.5"
    rest = table[table["high"] < _HALF]
    if rest.empty:
        return text
    return f"{text}; for {joined([f'{row.x} over {row.y}' for row in rest.itertuples()])} it lies below"


def _means_dm_control(runs: pd.DataFrame, published: pd.DataFrame) -> str:
    own = runs[(runs["metric"] == "mean") & (runs["method"] == _PERCENTILE)][["scores", "algorithm", "value"]]
    names = {scores: scores.replace("published_", "") for scores in published["scores"].unique()}
    other = published[published["method"] == "as_published"].assign(scores=published["scores"].map(names))
    both = pd.concat([own, other[own.columns]], ignore_index=True)

    def told(rows: pd.DataFrame) -> str:
        best = rows.loc[rows["value"].idxmax()]
        return f"{best['algorithm']} has the highest mean, {_score(best['value'])}"

    return _of_scores(both, told)


def _first_ranks(table: pd.DataFrame) -> str:
    def told(rows: pd.DataFrame) -> str:
        best = rows.loc[rows["value"].idxmax()]
        return f"{best['algorithm']} is first with probability {_percent(best['value'])}"

    return _of_scores(table[(table["environment"] == "") & (table["rank"] == 1)], told)


def _leaders(table: pd.DataFrame) -> str:
    def told(rows: pd.DataFrame) -> str:
        counts = rows.loc[rows.groupby("environment")["value"].idxmax(), "algorithm"].value_counts()
        (first, most), *others = counts.items()
        text = f"{first} is most likely first on {most} of {counted(int(counts.sum()), 'task')}"
        return ", ".join([text, *(f"{name} on {count}" for name, count in others)])

    return _of_scores(table[(table["environment"] != "") & (table["rank"] == 1)], told)


def _heavy_tails(table: pd.DataFrame) -> str:
    wide = table.pivot(index=["scores", "algorithm"], columns="metric", values="value")
    excess = {scores: (rows["mean"] / rows["iqm"] - 1).mean() for scores, rows in wide.groupby("scores")}
    ppo, min_max = (
        f"{_percent(abs(excess[scores]))} {'above' if excess[scores] > 0 else 'below'}"
        for scores in ("procgen_ppo", "procgen_min_max")
    )
    return f"The mean lies {ppo} the IQM in units of PPO's mean, and {min_max} it on the min-max scale"


_TITLES: dict[str, tuple[tuple[str, ...], Callable[..., str]]] = {
    "figure_2_right": (("subsamples",), _ranges),
    "figure_2_left": (("figure_2_left",), _densities),
    "figure_4": (("figure_4",), _lifts),
    "figure_5": (("figure_5",), _protocols),
    "figure_a14": (("figure_a14",), _histograms),
    "figure_a15": (("figure_a15",), _differences),
    "figure_a16": (("figure_a16",), _trimmed),
    "figure_a19": (("coverage",), _coverage),
    "figure_6_width": (("coverage",), _width),
    "figure_6_level": (("coverage",), _level),
    "figure_a18": (("figure_a18",), _task_coverage),
    "figure_a30": (("figure_a30",), _highest("iqm")),
    "figure_7": (("figure_7",), _both_profiles),
    "figure_a24": (("figure_7",), _crossing),
    "figure_a29": (("figure_a29",), _improvement),
    "figure_9": (("figure_9",), _highest("iqm")),
    "figure_10_left": (("figure_10_left",), _highest_profile()),
    "figure_a20": (("figure_a20",), _efficiency),
    "figure_a22": (("figure_a22", "figure_9"), _tasks_too),
    "figure_a23": (("figure_10_left",), _crossing),
    "figure_a25": (("figure_a25",), _alternatives),
    "figure_a26": (("figure_a26",), _gaps),
    "figure_a27": (("figure_a27",), _highest_profile()),
    "figure_a28": (("figure_a28",), _improvement),
    "figure_11a": (("figure_a31", "figure_11a"), _means_dm_control),
    "figure_11b": (("figure_11b",), _highest_profile()),
    "figure_11c": (("figure_11c",), _first_ranks),
    "figure_a31": (("figure_a31",), _highest("iqm")),
    "figure_a33": (("figure_11c",), _leaders),
    "figure_12_left": (("figure_12_left",), _highest_profile()),
    "figure_12_right": (("figure_12_right",), _claimed_pairs),
    "figure_a21": (("figure_a21",), _highest_profile()),
    "figure_a32": (("figure_a32",), _heavy_tails),
    "simulated_aggregates": (("simulated_aggregates",), _highest("iqm")),
    "simulated_profiles": (("simulated_profiles",), _both_profiles),
    "simulated_coverage": (("simulated_coverage",), _coverage),
    "simulated_coverage_record": (("recorded/simulated_coverage",), _coverage),
}
ANALYSES = tuple(dict.fromkeys(name for analyses, _ in _TITLES.values() for name in analyses))
