"""Every sentence with a number on the page of the further figures of agarwal2021 follows from its records."""

import itertools

import numpy as np
import pandas as pd
from support.page_sentences import OF_A_PAPER, Patterns, Recomputed, Tables, check_published_page, nominal, of, width

from surefoot.rounding import joined

METRICS = {"iqm": "the IQM", "median": "the median"}


def overlap(tables: Tables) -> list[str]:
    """Return the two algorithms whose densities overlap most, with their runs, and the area in common."""
    table = tables["figure_2_left"]
    grid = np.linspace(table["score"].min(), table["score"].max(), 20_001)
    heights = {
        names: np.interp(grid, rows["score"], rows["estimate"], left=0, right=0)
        for names, rows in table.groupby(["algorithm", "size"], sort=False)
    }
    areas = {
        pair: np.minimum(heights[pair[0]], heights[pair[1]]).sum() * (grid[1] - grid[0])
        for pair in itertools.combinations(heights, 2)
    }
    pair = max(areas, key=lambda names: areas[names])
    return [*(str(part) for names in pair for part in names), f"{100 * areas[pair]:.0f}"]


def excluding_zero(rows: pd.DataFrame) -> list[str]:
    """Return, for the IQM and the median, the smallest number of runs whose range lies above 0."""
    texts = []
    for metric in METRICS:
        part = rows[rows["metric"] == metric]
        above = part.loc[part["low"] > 0, "size"]
        texts.append(str(above.min() if len(above) else part["size"].max()))
    return texts


def smallest_lift(tables: Tables) -> list[str]:
    table = tables["figure_4"]
    lift = table.loc[table["lift"] > 0, "lift"].min()
    return [f"{lift:g}", *excluding_zero(table[table["lift"] == lift])]


def closest_pair(tables: Tables) -> list[str]:
    table = tables["figure_a15"]
    row = table.loc[table["estimate"].abs().idxmin()]
    pair = {"algorithm": row["algorithm"], "baseline": row["baseline"]}
    return [*pair.values(), *excluding_zero(of(tables, "figure_a15", **pair))]


def least_errors(tables: Tables) -> list[str]:
    table = tables["figure_a16"].sort_values("estimate").drop_duplicates(["algorithm", "resample"])
    return [f"{100 * cut:g}" for cut in (table["fraction"].min(), table["fraction"].max())]


def covered_tasks(tables: Tables) -> list[str]:
    table = tables["figure_a18"]
    ends = []
    for size in (table["size"].min(), table["size"].max()):
        rates = 100 * table.loc[table["size"] == size, "estimate"]
        ends += [f"{rates.min():.0f}", f"{rates.max():.0f}", str(size)]
    return ends


def below(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return, for each algorithm, those whose profile of run scores is nowhere above its own, and somewhere below."""
    curves = table[table["algorithm"].notna()]
    if "run_scores" in set(curves["profile"]):
        curves = curves[curves["profile"] == "run_scores"]
    heights = curves.pivot(index="threshold", columns="algorithm", values="estimate")
    return {
        one: [
            other
            for other in heights
            if (heights[one] >= heights[other]).all() and (heights[one] > heights[other]).any()
        ]
        for one in heights
    }


def profiles(tables: Tables) -> list[pd.DataFrame]:
    """Return the tables of the profiles of the page, in its order; those of several sets of scores in parts."""
    names = ("figure_7", "figure_10_left", "figure_11b", "figure_12_left", "figure_a21", "figure_a27")
    parts = (tables[name].groupby("scores", sort=False) for name in names)
    return [rows for part in parts for _, rows in part]


def above_some(tables: Tables) -> list[list[str]]:
    found = [below(table) for table in profiles(tables)]
    return [[str(sum(map(bool, others.values()))), str(len(others))] for others in found]


def highest(name: str, scores: str = "") -> Recomputed:
    """Return the algorithm whose profile is above most others, and the number of these."""

    def recomputed(tables: Tables) -> list[str]:
        table = tables[name]
        others = below(table[table["scores"] == scores] if scores else table)
        first = max(others, key=lambda one: len(others[one]))
        return [first, str(len(others[first]))]

    return recomputed


def wins(name: str) -> Recomputed:
    """Return the algorithm that beats all others, and its smallest and largest probability of that."""

    def recomputed(tables: Tables) -> list[str]:
        both = each_way(tables[name])
        first = both.groupby("algorithm")["estimate"].min().idxmax()
        values = both.loc[both["algorithm"] == first, "estimate"]
        return [first, f"{values.min():.2f}", f"{values.max():.2f}"]

    return recomputed


def each_way(table: pd.DataFrame) -> pd.DataFrame:
    turned = {"algorithm": table["baseline"], "baseline": table["algorithm"], "estimate": 1 - table["estimate"]}
    turned |= {"low": 1 - table["high"], "high": 1 - table["low"]}
    return pd.concat([table, table.assign(**turned)]).drop_duplicates(["algorithm", "baseline"])


def excluding_half(tables: Tables) -> list[list[str]]:
    """Return how many of the pairs have an interval that excludes 0.5, and the others."""
    found = []
    for name in ("figure_a29", "figure_a28"):
        better = each_way(tables[name]).query("estimate > 0.5").sort_values("estimate", ascending=False, kind="stable")
        open_ones = better[better["low"] <= 0.5]
        pairs = [f"{row.algorithm} over {row.baseline}" for row in open_ones.itertuples()]
        found.append([str(len(better) - len(open_ones)), str(len(better)), joined(pairs)])
    return found


def wider(tables: Tables) -> list[str]:
    keys = ["algorithm", "metric"]
    of_games, of_runs = (tables[name].set_index(keys) for name in ("figure_a22", "figure_9"))
    ratios = width(of_games) / width(of_runs).reindex(of_games.index)
    return [f"{ratios.median():.0f}"]


def first_ranks(tables: Tables) -> list[list[str]]:
    found = []
    for scores in ("dm_control_100k", "dm_control_500k"):
        rows = of(tables, "figure_11c", scores=scores, rank=1).sort_values("estimate", ascending=False)
        rows = rows[rows["environment"].isna()]  # over all environments
        shares = [(row.algorithm, f"{100 * row.estimate:.0f}") for row in rows.head(2).itertuples()]
        found.append([scores.removeprefix("dm_control_"), *(text for share in shares for text in share)])
    return found


def ends_of(table: pd.DataFrame, metric: str) -> list[str]:
    """Return the algorithms with the highest and the lowest value of a metric, with these and their intervals."""
    rows = table[(table["metric"] == metric) & (table["method"] == table["method"].iloc[0])]
    rows = rows.sort_values("estimate", ascending=False).iloc[[0, -1]]
    texts = [[f"{row.estimate:.3f}", f"{row.low:.3f}", f"{row.high:.3f}", row.algorithm] for row in rows.itertuples()]
    return [text for part in texts for text in part]


def iqms(tables: Tables) -> list[list[str]]:
    names = [("figure_a32", "procgen_ppo"), ("figure_a32", "procgen_min_max")]
    names += [("figure_a31", "dm_control_100k"), ("figure_a31", "dm_control_500k")]
    return [ends_of(of(tables, name, scores=scores), "iqm") for name, scores in names]


def others_between(tables: Tables) -> list[list[str]]:
    names = [("figure_a32", 2), ("figure_a25", 1), ("figure_a31", 2)]
    return [[str(tables[name]["algorithm"].nunique() - 2)] for name, sentences in names for _ in range(sentences)]


def low_half(tables: Tables) -> list[str]:
    """Return on how many tasks most runs score in the lower half of the range of their scores."""
    table = tables["figure_a14"].assign(middle=lambda rows: (rows["low"] + rows["high"]) / 2)
    counts = []
    for _, rows in table.groupby("environment"):
        middle = (rows["middle"].min() + rows["middle"].max()) / 2
        counts.append(rows.loc[rows["middle"] < middle, "count"].sum() > rows["count"].sum() / 2)
    return [str(sum(counts)), str(len(counts))]


def smallest_gaps(tables: Tables) -> list[str]:
    least = tables["figure_a26"].pivot(index="gamma", columns="algorithm", values="estimate").idxmin(axis=1)
    (first, count), *_ = least.value_counts().items()
    return [first, str(count), str(len(least))]


VALUE = r"(\S+) \((\S+) to (\S+)\) for"
APPENDIX: Patterns = {
    OF_A_PAPER: nominal,
    r"One algorithm against itself .* \(paper: Figure 4\); a lift is detectable where its range excludes 0\.": nominal,
    r"The densities of (\S+), (\d+) runs, and (\S+), (\d+) runs, overlap by (\d+) %": overlap,
    r"A lift of (\d+) % is .* with (\d+) or more runs by the IQM, but with no .* up to (\d+) by the median": (
        smallest_lift
    ),
    r"The range of (\S+) \S (\S+) excludes 0 with (\d+) or more .* the IQM and with (\d+) or more .* the median": (
        closest_pair
    ),
    r"The error is least if (\S+) to (\S+) % of the scores are cut from each end": least_errors,
    r"Intervals .* in (\d+) to (\d+) % of subsamples of (\d+) runs and (\d+) to (\d+) % of subsamples of (\d+) runs": (
        covered_tasks
    ),
    r"In all, (\d+) of (\d+) profiles are nowhere below that of some other algorithm\.": above_some,
    r"At every threshold, (\S+) scores at least as high as (\d+) other algorithms": highest("figure_10_left"),
    r"DM Control, 500k steps: At every threshold, (\S+) scores at least as high as (\d+) other algorithms\.": (
        highest("figure_11b", "dm_control_500k")
    ),
    r"A run of (SPR) beats each other algorithm's with probabilities (\S+) to (\S+)": wins("figure_a29"),
    r"A run of (DreamerV2) beats each other algorithm's with probabilities (\S+) to (\S+)": wins("figure_a28"),
    r"Of (\d+) individual 95 % intervals, (\d+) exclude 0\.5, but not (?:that|those) of (.*)\.": lambda tables: [
        [pairs, excluding, others] for excluding, pairs, others in excluding_half(tables)
    ],
    r"Resampling games as well as runs makes the intervals (\d+) times as wide \(median\)": wider,
    r"DM Control, (\S+) steps: With one run each, (\S+) comes first with probability (\d+) %, (\S+) with (\d+) %\.?": (
        first_ranks
    ),
    rf"(?:Procgen|DM Control), .*: The IQM is {VALUE} (\S+) and {VALUE} (\S+?)\.?": iqms,
    rf"The difficulty progress \(DP-25\) is {VALUE} (\S+) and {VALUE} (.+)": lambda tables: ends_of(
        tables["figure_a25"], "difficulty_progress"
    ),
    r"The other (\d+) are in between\.": others_between,
    r"In (\d+) of (\d+) tasks, most runs score in the lower half of their range": low_half,
    r"(\S+) has the smallest gap at (\d+) of (\d+) targets": smallest_gaps,
    r"Scores of (\d+) runs of DER, by game .*": lambda tables: [
        str(count) for count in tables["figure_a14"].groupby("environment")["count"].sum().unique()
    ],
    r"Profiles at (\d+) thresholds .*": lambda tables: [str(tables["figure_11b"]["threshold"].nunique())],
    r"Errors of trimmed means of (\d+) runs, .*": lambda tables: [
        str(size) for size in tables["figure_a16"]["size"].unique()
    ],
}
TYPED = (
    "Further figures of Agarwal et al. 2021",
    "DM Control, 100k steps: At every threshold, PISAC",
    "snakemake agarwal2021 --configfile config/overlays/download.yaml downloads the scores (34 MB",
    "The data of the paper's Figure 1, the second 100 runs of DER",
    "Figure 8 is a sketch without data; Figures A.23 and A.24 are Figures 10 and 7 ..., Figure A.33 ... Figure 11c",
)


def test_sentences_follow_from_the_records(tmp_path):
    check_published_page("agarwal2021", APPENDIX, TYPED, tmp_path, "agarwal2021_appendix")
