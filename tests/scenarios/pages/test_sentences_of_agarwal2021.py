"""Every sentence with a number on the page of agarwal2021 follows from its records."""

import pandas as pd
from support.page_sentences import (
    Patterns,
    Tables,
    against,
    check_published_page,
    claims,
    ends,
    items,
    judged,
    latest,
    nominal,
    of,
    verdicts,
    width,
)


def exact_scores(tables: Tables) -> list[str]:
    rows = items(tables, "median/", "mean/")
    return [str((rows["verdict"] == "reproduced").sum()), str(len(rows))]


def spans_of_spr(tables: Tables) -> list[str]:
    rows = of(tables, "figure_2_right", algorithm="SPR", size=10).set_index("metric")
    return [f"{width(rows)[metric]:.3f}" for metric in ("median", "iqm")]


def narrower(tables: Tables) -> list[str]:
    widths = (
        of(tables, "figure_2_right", size=10)
        .assign(width=width)
        .pivot(index="algorithm", columns="metric", values="width")
    )
    return [str((widths["iqm"] < widths["median"]).sum()), str(len(widths))]


def first_runs(tables: Tables) -> list[str]:
    rows = tables["figure_first_runs"].set_index("algorithm")
    farthest = rows["z"].abs().idxmax()
    spr = rows.loc["SPR"]
    return [farthest, f"{abs(rows['z'][farthest]):.1f}", f"{spr['estimate']:.3f}", f"{spr['z']:.1f}"]


def friedman(tables: Tables) -> list[str]:
    values = tables["figure_first_runs"].set_index("algorithm")["p_value"]
    others = values.drop("SPR")
    shown = [f"{values['SPR']:.3f}", f"{others.min():.2f}", f"{others.max():.2f}"]
    return [*shown, str(len(values)), f"{0.05 / len(values):.4f}"]


def lost_ties(tables: Tables) -> list[str]:
    rows = tables["figure_a29"]
    away = (rows["estimate"] - rows["as_published"]).abs()
    most = rows.loc[away.idxmax()]
    pair = [most["algorithm"], most["baseline"], f"{most['as_published']:.3f}", f"{most['estimate']:.3f}"]
    return [str((away > 1e-4).sum()), str(len(rows)), *pair]


def too_wide(tables: Tables) -> list[str]:
    wide, narrow = (
        width(of(tables, "figure_11a", method=name)).to_numpy() for name in ("as_published", "independent_tasks")
    )
    return [f"{(wide / narrow).mean():.1f}"]


def of_curves(tables: Tables) -> pd.Series:
    """Return the relative differences of the ends of curves from the final scores."""
    curves = of(tables, "figure_a20", metric="iqm")
    last = curves[curves["frames"] == curves["frames"].max()].set_index("algorithm")["estimate"]
    final = of(tables, "figure_9", metric="iqm").set_index("algorithm")["estimate"]
    return (last / final - 1).abs().dropna()


def moved_medians(tables: Tables) -> list[str]:
    medians = of(tables, "figure_2_right", metric="median").pivot(index="algorithm", columns="size", values="estimate")
    moved = medians[100] - medians[5]
    names = moved.abs().sort_values(kind="stable").index
    return [text for name in (names[-1], names[0]) for text in (f"{moved[name]:+.3f}", name)]


def protocols(tables: Tables) -> list[str]:
    rows = of(tables, "figure_5", metric="median").sort_values("size", kind="stable")
    last = rows.drop_duplicates("protocol", keep="last").set_index("protocol")["estimate"]
    return [f"{last['DER']:.2f}", f"{last[last.index.str.startswith('DER,')].max():.2f}"]


def covered(tables: Tables) -> list[str]:
    rows = of(tables, "figure_a19", method="percentile", replacement=True, size=10, level=0.95).set_index("metric")
    return [f"{100 * rows['estimate'][metric]:.1f}" for metric in ("iqm", "median")]


def sizes(tables: Tables, name: str, *which: str) -> list[str]:
    """Return the number of tasks, and the smallest and the largest number of runs, in the order wanted."""
    rows = tables[name]
    return [str(rows["tasks"].max()), *(str(rows["runs"].agg(end)) for end in which)]


def after_frames(tables: Tables) -> list[str]:
    rows = of(tables, "figure_a20", metric="iqm")
    frames = rows["frames"].drop_duplicates()
    moments = [frames[(frames - 10).abs().idxmin()], frames.max()]
    return [text for moment in moments for text in (f"{moment:g}", *ends(rows[rows["frames"] == moment]))]


def after_steps(tables: Tables) -> list[str]:
    rows = tables["figure_11a"]
    rows = rows[rows["method"] != "as_published"]
    return [text for steps in ("100k", "500k") for text in ends(rows[rows["scores"] == f"dm_control_{steps}"])]


def improvements(tables: Tables) -> list[str]:
    rows = tables["figure_12_right"]
    return [str((rows["low"] > 0.5).sum()), str(len(rows)), str((rows["high"] < 0.5).sum())]


def looks(name: str) -> Patterns:
    """Return one group: how many algorithms a table has."""
    return lambda tables: [str(tables[name]["algorithm"].nunique())]


def other_verdicts(tables: Tables) -> list[str]:
    return [str(verdicts(tables)[name]) for name in ("reproduced", "explained")]


ENDS = r"(\S+) highest \((\S+)\), (.+) lowest \((\S+)\)"
AGARWAL2021: Patterns = {
    r"(?:Comparison\. )?(\d+) of (\d+) scores in the .* agree to six decimals\.?": exact_scores,
    r"With 10 runs of SPR, 95 % of the medians span (\S+) and 95 % of the IQMs (\S+)\.": spans_of_spr,
    r"Of (\S+) printed numbers and claims: (\d+) of (\d+) claims are contradicted by our numbers\.": lambda tables: (
        [judged(tables), *against(tables)]
    ),
    r"In one case, .*\.": nominal,
    r"The other verdicts: (\d+) reproduced, (\d+) cause known, none differ\.": other_verdicts,
    r"Contradicted claims: “(.*)”; “(.*)”\.": lambda tables: [
        *claims(tables).query("verdict == 'contradicted'")["label"]
    ],
    r"With 10 runs, the IQM varies less than the median for (\d+) of (\d+) algorithms": narrower,
    r"(\d+) reproduced: in the ledger": lambda tables: [str(verdicts(tables)["reproduced"])],
    r"The IQM of the first ten .* for (\S+), by (\S+) standard deviations; .* is (\S+), (\S+) standard .* above .*": (
        first_runs
    ),
    r"With all hundred runs, SPR has (\S+)\.": lambda tables: [
        f"{value:.3f}" for value in of(tables, "figure_first_runs", algorithm="SPR")["all_runs"]
    ],
    r"Smallest p = (\S+) after Holm's correction for (\d+) tests, one per algorithm\.": lambda tables: [
        f"{tables['figure_first_runs']['p_of_z'].min():.2f}",
        str(len(tables["figure_first_runs"])),
    ],
    r"Drawing whole runs, .* p = (\S+) for SPR and (\S+) to (\S+) .*; with (\d+) tests, 5 % .* means p < (\S+)\.": (
        friedman
    ),
    r"Rounding to nine .* (\d+) of (\d+) .*, most of all P\((\S+) > (\S+)\), from (\S+) to (\S+)\.": lost_ties,
    r"Exact, so there is no p-value; all (\d+) pairs were examined\.": lambda tables: [str(len(tables["figure_a29"]))],
    r"Three intervals on DM Control are (\S+) times too wide\.": too_wide,
    r"Computed by a formula, so there is no p-value; (\d+) intervals were examined\.": lambda tables: [
        str(len(of(tables, "figure_11a", method="as_published")))
    ],
    r"The paper's learning curves .*: the IQMs of the (\d+) algorithms .* differ by up to (\d+) % \((.*)\)\.": (
        lambda tables: [
            str(len(of_curves(tables))),
            f"{100 * of_curves(tables).max():.0f}",
            of_curves(tables).idxmax(),
        ]
    ),
    r"Not tested; (\d+) differences were examined\.": lambda tables: [str(len(of_curves(tables)))],
    r"From 5 to 100 runs, its expected value moves by (\S+) for (\S+) and by (\S+) for (\S+)\.": moved_medians,
    r"Means over many draws, not tested; (\d+) algorithms were examined\.": looks("figure_2_right"),
    r"The same runs of DER have a median of (\S+), or (\S+) if a maximum is reported": protocols,
    r"Intervals of 10 runs contain the IQM in (\S+) % of samples, the median in (\S+) %": covered,
    r"IQM: (SPR) highest \((\S+)\), (.*) lowest \((\S+)\)": lambda tables: ends(
        of(tables, "figure_a30", metric="iqm", method="percentile")
    ),
    r"IQM: (DreamerV2) highest \((\S+)\), (.*) lowest \((\S+)\)": lambda tables: ends(
        of(tables, "figure_9", metric="iqm")
    ),
    r"Atari 100k: (\d+) games, first (\d+) runs of each algorithm \(SimPLe: (\d+); .*": lambda tables: sizes(
        tables, "figure_a30", "max", "min"
    ),
    r"Atari 200M: (\d+) games, (\d+) to (\d+) runs of each algorithm .*": lambda tables: sizes(
        tables, "figure_9", "min", "max"
    ),
    rf"IQM after (\S+) million frames: {ENDS}; IQM after (\S+) million frames: {ENDS}": after_frames,
    rf"Mean after 100k steps: {ENDS}; Mean after 500k steps: {ENDS}": after_steps,
    r"(\d+) of (\d+) improvements claimed on Procgen have an interval above 0\.5, and (\d+) below it": improvements,
    r"All numbers on this page come from a record made from the published scores by (\S+)\.": latest,
}
TYPED_IN_AGARWAL2021 = (
    "Agarwal, ... NeurIPS 2021",
    "All runs on Atari 100",
    "Rings: printed in the authors' notebook; ticks and bars: ours, with 95 % bootstrap intervals",
    "Median and IQM of N runs drawn from 100, on Atari 100k (paper: Figures 2 right, 3 and A.17",
    "Lines: expected values; bands hold 95 %",
    "The tolerance is the rounding of the printed digits ... (Holm's procedure, 5 % for all numbers together",
    "Ticks and bars: IQM of the first ten runs on Atari 100",
    "For CURL, CURL-D2",
    "A run is one training on one task, scored on a scale with meaningful 0 and 1",
    "The same runs, reported in three ways (paper: Figure 5",
    "Best of 8 settings: the largest of 8 means of 3 runs",
    "How often nominal 95 % intervals of DER contain ... (paper: Figures 6 and A.19",
    "Without replacement, as in the paper, large samples of the 100 public runs (the paper had 200",
    "In ten games, some runs of DreamerV2 stop far short of 200 million frames",
    "Median and IQM by number of frames, ... (paper: Figures 10 right and A.20",
    "Mean scores, the best after 500k steps first; ... (paper: Figure 11",
    "Probability of improvement for the pairs with a claimed improvement, ... (paper: Figure 12",
)


def test_sentences_follow_from_the_records(tmp_path):
    check_published_page("agarwal2021", AGARWAL2021, TYPED_IN_AGARWAL2021, tmp_path)
