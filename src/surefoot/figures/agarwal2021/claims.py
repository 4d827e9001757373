"""Our side of the published numbers and claims: items with a value each, from the numbers of the figures.

A claim is 1 where our numbers say the same and 0 where they do not.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import numpy as np
import pandas as pd

from surefoot.figures.origin import numbers

Tables = Mapping[str, pd.DataFrame]
Items = Iterator[tuple[str, float]]


def our_items(tables: Tables) -> pd.DataFrame:
    """Columns item, ours: everything that the analyses at hand can say."""
    rows: list[tuple[str, float]] = []
    for analyses, function in _ITEMS:
        found = [numbers(tables, analysis) for analysis in analyses]
        if all(table is not None for table in found):
            rows.extend((name, float(value)) for name, value in function(*found))
    return pd.DataFrame(rows, columns=["item", "ours"])


def _all_runs(table: pd.DataFrame) -> Items:
    for row in table[table["metric"].isin(["median", "mean"])].drop_duplicates(["algorithm", "metric"]).itertuples():
        yield f"{row.metric}/{row.algorithm}", row.value


def _ranks(table: pd.DataFrame) -> Items:
    for row in table[table["environment"] == ""].itertuples():
        steps = row.scores.rpartition("_")[2]
        yield f"rank_percent/{steps}/{row.algorithm}/{row.rank}", 100 * row.value


def _improvement(table: pd.DataFrame) -> Items:
    for row in table.itertuples():
        yield f"improvement/{row.x}/{row.y}", row.value


def _subsamples(table: pd.DataFrame) -> Items:
    means = table.set_index(["algorithm", "metric", "size"]).sort_index()
    bias = means.loc[("SPR", "median", 100), "value"] - means.loc[("SPR", "median", 5), "value"]
    gain = means.loc[("SPR", "median", 100), "whole"] - means.loc[("DrQ(eps)", "median", 100), "whole"]
    yield "bias/median/SPR", bias
    yield "bias_percent_of_improvement/SPR", 100 * bias / gain
    iqm = table[table["metric"] == "iqm"]
    yield "claim/iqm_flat", max(abs(iqm["value"] - iqm["whole"])) <= 0.01
    width = (table["high"] - table["low"]).groupby([table["algorithm"], table["size"], table["metric"]]).first()
    width = width.unstack("metric")
    yield "claim/iqm_narrower_at_10", (width.xs(10, level="size")["iqm"] < width.xs(10, level="size")["median"]).all()
    yield "claim/median_uncertain_at_50", width.xs(50, level="size")["median"].max() > 0.05


def _densities(table: pd.DataFrame) -> Items:
    """Do the densities of any two algorithms overlap by a hundredth of their mass or more?"""
    ranges = {}
    for name, curve in table.groupby("algorithm"):
        mass = np.cumsum(curve["value"]) / curve["value"].sum()
        ranges[name] = (curve["score"][mass >= 0.005].iloc[0], curve["score"][mass >= 0.995].iloc[0])
    names = sorted(ranges, key=lambda name: ranges[name][0])
    yield "claim/medians_overlap", all(ranges[a][1] > ranges[b][0] for a, b in pairwise(names))


def _lifts(table: pd.DataFrame) -> Items:
    for (metric, lift), rows in table.sort_values("size").groupby(["metric", "lift"]):
        if lift > 0:
            clear = (rows["low"] > 0)[::-1].cummin()[::-1]
            if clear.any():
                yield f"runs_needed/{metric}/{lift:g}", rows["size"][clear].min()
            yield f"lift_low/{metric}/{lift:g}/{rows['size'].iloc[-1]}", rows["low"].iloc[-1]
        else:
            last = rows.iloc[-1]
            yield f"lift_percent_possible/{metric}/{last['size']:g}", max(abs(last["low"]), abs(last["high"]))


def _protocols(table: pd.DataFrame) -> Items:
    last = table.sort_values("size").drop_duplicates(["protocol", "metric"], keep="last")
    for row in last[last["metric"] == "median"].itertuples():
        yield f"protocol/median/{row.protocol}", row.value


def _differences(table: pd.DataFrame) -> Items:
    for row in table[(table["metric"] == "median") & (table["size"] == 5)].itertuples():
        yield f"difference_of_5/{row.x}/{row.y}/low", row.low
        yield f"difference_of_5/{row.x}/{row.y}/high", row.high


def _coverage(table: pd.DataFrame) -> Items:
    usual = table[table["level"].sub(0.95).abs() < 1e-9]
    fair = usual[usual["replacement"].astype(bool)].set_index(["metric", "size", "method"]).sort_index()
    yield "claim/percentile_best_for_median_at_10", _best(fair, "median") == "percentile"
    yield "claim/percentile_best_for_iqm_at_10", _best(fair, "iqm") == "percentile"
    yield "claim/percentile_right_for_iqm_at_10", fair.loc[("iqm", 10, "percentile"), "value"] >= 0.9
    yield "claim/too_narrow_at_3", fair.loc[("iqm", 3, "percentile"), "value"] < 0.93
    widths = [fair.loc[(metric, 10, "percentile"), "width"] for metric in ("iqm", "median")]
    yield "claim/iqm_interval_narrower", widths[0] < widths[1]


def _best(coverage, metric):
    """The method whose coverage at 10 runs is nearest to 95 %."""
    return (coverage.loc[(metric, 10), "value"] - 0.95).abs().idxmin()


def _task_coverage(table: pd.DataFrame) -> Items:
    most = table[table["size"] == table["size"].max()]
    yield "claim/games_below_95", (most["value"] < 0.95).sum() >= 3


def _trimmed(table: pd.DataFrame) -> Items:
    """Is the smallest error where a tenth to three tenths are cut, as far as the subsamples can tell?"""
    for (algorithm, resampled), rows in table.groupby(["algorithm", "resampled"]):
        least = rows.loc[rows["value"].idxmin()]
        inside = rows.loc[rows["fraction"].between(0.0999, 0.3001), "value"].min()
        yield f"claim/least_error/{resampled}/{algorithm}", inside <= least["value"] + 2 * least["value_error"]


def _profile_100k(table: pd.DataFrame) -> Items:
    own = table[(table["profile"] == "run_scores") & (table["algorithm"] != "")]
    yield "claim/spr_highest", own.groupby("algorithm")["value"].mean().idxmax() == "SPR"
    width = (table["high"] - table["low"]).groupby(table["profile"]).mean()
    yield "claim/average_bands_wider", width["average_scores"] > width["run_scores"]


def _profile_200m(table: pd.DataFrame) -> Items:
    curves = table[table["algorithm"] != ""].pivot(index="threshold", columns="algorithm", values="value")
    over = curves["IQN"] - curves["Rainbow"]
    yield "claim/iqn_over_rainbow_from_2", (over[over.index >= 2] > 0).mean() > 0.95
    yield "claim/rainbow_over_iqn_below_2", (over[(over.index >= 0.75) & (over.index < 1.9)] < 0).mean() > 0.95
    signs = np.sign(curves["DreamerV2"] - curves["M-IQN"])
    yield "claim/dreamer_crosses_m_iqn", signs.min() < 0 < signs.max()


def _profile_dm_control(table: pd.DataFrame) -> Items:
    for scores, rows in table[table["algorithm"] != ""].groupby("scores"):
        area = rows.groupby("algorithm")["value"].mean()
        steps = scores.rpartition("_")[2]
        yield f"claim/pisac_highest/{steps}", area.idxmax() == "PISAC"
        yield f"claim/sac_ae_lowest/{steps}", area.idxmin() == "SAC+AE"


def _efficiency(table: pd.DataFrame) -> Items:
    early = table[(table["frames"] == 10) & (table["metric"] == "iqm")].set_index("algorithm")["value"]
    yield "claim/iqn_leads_at_10_million", early.idxmax() == "IQN"


def _alternatives(table: pd.DataFrame) -> Items:
    best = table.loc[table.groupby("metric")["value"].idxmax()].set_index("metric")
    yield "claim/iqn_best_difficulty_progress", best.loc["difficulty_progress", "algorithm"] == "IQN"
    yield "claim/rainbow_best_superhuman", best.loc["probability_above", "algorithm"] == "Rainbow"
    yield "best/difficulty_progress", best.loc["difficulty_progress", "value"]
    yield "best/probability_above", best.loc["probability_above", "value"]


def _tasks_too(tasks: pd.DataFrame, runs: pd.DataFrame) -> Items:
    both = tasks.merge(runs, on=["algorithm", "metric"], suffixes=("", "_runs"))
    ratio = (both["high"] - both["low"]) / (both["high_runs"] - both["low_runs"])
    yield "claim/tasks_widen_intervals", (ratio > 1).all() and ratio.median() > 2


def _gap_and_mean(table: pd.DataFrame) -> Items:
    wide = table.pivot(index=["scores", "algorithm"], columns="metric", values="value")
    yield "claim/gap_is_one_minus_mean", abs(wide["optimality_gap"] + wide["mean"] - 1).max() < 1e-5


def _heavy_tail(table: pd.DataFrame) -> Items:
    wide = table.pivot(index=["scores", "algorithm"], columns="metric", values="value")
    ppo, min_max = (wide.loc[scores] for scores in ("procgen_ppo", "procgen_min_max"))
    excess = [float((part["mean"] / part["iqm"]).drop("PPO").mean()) for part in (ppo, min_max)]
    yield "claim/ppo_normalized_mean_inflated", excess[0] > excess[1]


_ITEMS: tuple[tuple[tuple[str, ...], Callable[..., Items]], ...] = (
    (("all_runs",), _all_runs),
    (("figure_11c",), _ranks),
    (("figure_12_right",), _improvement),
    (("figure_a29",), _improvement),
    (("figure_2_left",), _densities),
    (("subsamples",), _subsamples),
    (("figure_4",), _lifts),
    (("figure_5",), _protocols),
    (("figure_a15",), _differences),
    (("coverage",), _coverage),
    (("figure_a18",), _task_coverage),
    (("figure_a16",), _trimmed),
    (("figure_7",), _profile_100k),
    (("figure_10_left",), _profile_200m),
    (("figure_11b",), _profile_dm_control),
    (("figure_a20",), _efficiency),
    (("figure_a25",), _alternatives),
    (("figure_a22", "figure_9"), _tasks_too),
    (("figure_a31",), _gap_and_mean),
    (("figure_a32",), _heavy_tail),
)
"""The analyses that a function takes the numbers of, and the function."""
