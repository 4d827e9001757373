"""Every sentence with a number on the pages of papers, and of a report, follows from the tables that the pages read.

The pages of published scores are drawn from their records, the others from stand-ins.
"""

import math
from collections import Counter
from statistics import NormalDist

import pandas as pd
import pytest
from scipy.stats import binomtest
from support.drawings import with_comparisons
from support.page_sentences import REPORTS, Patterns, Tables, check_sentences, draw, page_of, tables_of, write_drawing
from support.paths import ROOT
from support.recorded_studies import drawings
from support.stand_in_plays import settings as settings_of_plays
from support.stand_in_plays import tables_of_plays
from support.stand_in_tables import (
    analyses,
    coverage_tables,
    published_names,
    records,
    settings,
    sharper,
    stand_in_tables,
    subsamples,
)

from surefoot.rounding import joined
from surefoot.runs.result_tables import read_table


def verdicts(tables: Tables) -> Counter[str]:
    return Counter(tables["reproduction"]["verdict"])


def claims(tables: Tables) -> pd.DataFrame:
    rows = tables["reproduction"]
    return rows[rows["claim"]]


def judged(tables: Tables) -> str:
    return f"{len(tables['reproduction']):,}"


def against(tables: Tables) -> list[str]:
    """Return how many claims are contradicted, of how many."""
    rows = claims(tables)
    return [str((rows["verdict"] == "contradicted").sum()), str(len(rows))]


def of(tables: Tables, name: str, **where: object) -> pd.DataFrame:
    """Return the rows of a table in which columns have these values."""
    rows = tables[name]
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows


def items(tables: Tables, *starts: str) -> pd.DataFrame:
    rows = tables["reproduction"]
    return rows[rows["item"].str.startswith(starts)]


def ends(rows: pd.DataFrame) -> list[str]:
    """Return the algorithms with the highest and with the lowest estimate, and these."""
    found = (rows.loc[rows["estimate"].idxmax()], rows.loc[rows["estimate"].idxmin()])
    return [text for row in found for text in (row["algorithm"], f"{row['estimate']:.2f}")]


def width(rows: pd.DataFrame) -> pd.Series:
    return rows["high"] - rows["low"]


# Agarwal et al. 2021


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


def latest(tables: Tables) -> list[str]:
    return [tables["table_analyses"]["recorded"].dropna().max()]


def agarwal_verdicts(tables: Tables) -> list[str]:
    found = verdicts(tables)
    return [judged(tables), *against(tables), str(found["reproduced"]), str(found["explained"])]


ENDS = r"(\S+) highest \((\S+)\), (.+) lowest \((\S+)\)"
AGARWAL2021: Patterns = {
    r"(?:Published beside ours\. )?(\d+) of (\d+) scores in the .* agree to six decimals\.?": exact_scores,
    r"With 10 runs of SPR, 95 % of the medians span (\S+) and 95 % of the IQMs (\S+)\.": spans_of_spr,
    r"Of (\S+) printed numbers and claims: (\d+) of (\d+) claims .* \(.*: 1; .*: 1\); (\d+) reproduced, "
    r"(\d+) cause known, none differs\.": agarwal_verdicts,
    r"What came out the other way: “(.*)”; “(.*)”\.": lambda tables: [
        *claims(tables).query("verdict == 'contradicted'")["label"]
    ],
    r"With 10 runs, the IQM varies less than the median for (\d+) of (\d+) algorithms": narrower,
    r"(\d+) reproduced: in the ledger": lambda tables: [str(verdicts(tables)["reproduced"])],
    r"Their IQM differs most .* for (\S+), by (\S+) standard deviations; for SPR it is (\S+), by (\S+) above .*": (
        first_runs
    ),
    r"With all hundred runs, SPR has (\S+)\.": lambda tables: [
        f"{value:.3f}" for value in of(tables, "figure_first_runs", algorithm="SPR")["all_runs"]
    ],
    r"Least p = (\S+) after Holm; (\d+) looks, one an algorithm\.": lambda tables: [
        f"{tables['figure_first_runs']['p_of_z'].min():.2f}",
        str(len(tables["figure_first_runs"])),
    ],
    r"Drawing whole runs, .* p = (\S+) for SPR and (\S+) to (\S+) .*; (\d+) looks, so joint 5 % is below (\S+)\.": (
        friedman
    ),
    r"Rounding to nine .* (\d+) of (\d+) .*, most of all P\((\S+) > (\S+)\), from (\S+) to (\S+)\.": lost_ties,
    r"Exact, so without a p; all (\d+) pairs looked at\.": lambda tables: [str(len(tables["figure_a29"]))],
    r"Three intervals on DM Control are (\S+) times too wide\.": too_wide,
    r"A formula, so without a p; (\d+) intervals looked at\.": lambda tables: [
        str(len(of(tables, "figure_11a", method="as_published")))
    ],
    r"The paper's learning curves .*: the IQMs of the (\d+) algorithms .* differ by up to (\d+) % \((.*)\)\.": (
        lambda tables: [
            str(len(of_curves(tables))),
            f"{100 * of_curves(tables).max():.0f}",
            of_curves(tables).idxmax(),
        ]
    ),
    r"Not tested; (\d+) looks\.": lambda tables: [str(len(of_curves(tables)))],
    r"From 5 to 100 runs, its expected value moves by (\S+) for (\S+) and by (\S+) for (\S+)\.": moved_medians,
    r"Means over many draws, not tested; (\d+) looks\.": looks("figure_2_right"),
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
    r"(\d+) of (\d+) improvements claimed on Procgen have an interval above 0\.5; below it: (\d+)": improvements,
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
    "Median and IQM by frames, ... (paper: Figures 10 right and A.20",
    "Mean scores, the best after 500k steps first; ... (paper: Figure 11",
    "Probability of improvement for the pairs with a claimed improvement, ... (paper: Figure 12",
)

# Recht 2018


def differing(tables: Tables, **where: object) -> str:
    return str((of(tables, "figure_published", formula="welch", **where)["verdict"] == "differs").sum())


def crossings(tables: Tables) -> list[str]:
    return [str(number) for number in of(tables, "table_curves", figure="figure_r1")["crossings"]]


def most_games(tables: Tables) -> list[str]:
    """Return the number of games, and the two methods with the highest mean on most of them."""
    rows = tables["figure_runs"]
    rows = rows[(rows["threshold"] - 0.02).abs() < 0.011].drop_duplicates("method", keep="last")
    first, second = rows.sort_values("count", ascending=False, kind="stable").head(2).to_dict("records")
    return [str(first["problems"]), first["method"], str(first["count"]), second["method"], str(second["count"])]


def best_of_four(tables: Tables) -> list[str]:
    rows = of(tables, "figure_all_four", degrees_of_freedom="welch").sort_values("threshold", kind="stable")
    rows = rows.drop_duplicates("method").reset_index(drop=True)
    best = rows.loc[rows["count"].idxmax()]
    return [best["method"], str(best["count"])]


def at_one_in_a_thousand(tables: Tables) -> list[str]:
    rows = of(tables, "table_differences", level=0.001).set_index("formula")["differ"]
    return [str(rows["Welch\N{EN DASH}Satterthwaite"]), str(rows["as published"])]


RECHT2018: Patterns = {
    r"All (\d+) printed numbers and claims come out with .*; with Welch's, (\d+) differ\.": lambda tables: [
        str((tables["reproduction"]["verdict"] == "reproduced").sum()),
        differing(tables),
    ],
    r"With the published formula all (\d+) counts agree; with Welch's, (\d+) differ": lambda tables: [
        str(len(of(tables, "figure_published", formula="welch", claim=False))),
        differing(tables, claim=False),
    ],
    r"The curves cross (\d+) times as published, (\d+) times by Welch's formula": crossings,
    r"At p < 0\.001, (\d+) of 60 games differ by Welch's formula, (\d+) by the post's\.": at_one_in_a_thousand,
    r"Exact, .*; (\d+) counts looked at\.": lambda tables: [str(len(tables["table_differences"]))],
    r"Highest mean, of (\d+) games: (\S+) on (\d+) and (\S+) on (\d+)": most_games,
    r"Of the four, (.*) has the highest mean most often, on (\d+) games": best_of_four,
    r"All numbers on this page come from a record made from the published scores by (\S+)\. .* \(34 MB, once.*": latest,
}
TYPED_IN_RECHT2018 = (
    "Recht, 2018",
    "After 200 million frames, neither",
    "Blob-PROST (24 runs) and DQN (5 runs) after 200 million frames, 60 Atari games",
    "Number of games, out of 60, at the ends",
    "Number of games, out of 60, on which Blob-PROST and DQN differ after 200 million frames",
    "The notebook divides sd⁴ by n (n ... 1) where ... n² (n ... 1",
    "So its degrees of freedom are too small, often below 1",
    "Eight Atari agents after 200 million frames, 55 games, 3 to 11 runs each; ... exceeds 2.4 (p = 1/252), ... 3 runs "
    "against 11, none exceeds 2.6",
    "The best method on a game has the highest mean; ...log10",
    "A curve shows the fraction of games ...log10(τ): just right of 0, ... at 3, where τ = 0.001",
    "Blob-PROST 200M is nowhere below DQN 10",
    "Blob-PROST after 200 million frames and DQN after 10 million, 60 games",
    "Blob-PROST and DQN, both after 100 million frames, 60 games",
    "Both methods after 100 and after 200 million frames, 60 games",
    "Agarwal et al. (appendix A.3",
)


@pytest.mark.parametrize(
    ("page", "patterns", "typed"),
    [("agarwal2021", AGARWAL2021, TYPED_IN_AGARWAL2021), ("recht2018", RECHT2018, TYPED_IN_RECHT2018)],
)
def test_sentences_on_published_scores_follow_from_records(page, patterns, typed, tmp_path):
    for name, (chart, _, numbers) in drawings(page).items():
        write_drawing(tmp_path / "draw" / page, name, chart, numbers)
    html = page_of(page, tmp_path, page)
    check_sentences(html, tables_of(html, tmp_path, page), patterns, typed)


# Jordan et al. 2020


def best_scores(tables: Tables) -> list[str]:
    rows = tables["figure_5"].head(3)
    return [text for row in rows.itertuples() for text in (row.title, f"{row.published:.3f}", f"{row.estimate:.3f}")]


def jordan_verdicts(tables: Tables) -> list[str]:
    found = verdicts(tables)
    printed = f"{tables['table_kinds']['published'].sum():,}"
    counts = [str(found[name]) for name in ("reproduced", "undecided", "differs")]
    return [printed, judged(tables), *against(tables), *counts]


def reversed_scores(tables: Tables) -> list[str]:
    """Return the label and the four scores of the first contradicted order."""
    rows = tables["reproduction"].set_index("item")
    item = next(name for name in rows.index if name.startswith("claim/higher_score/") and rows["ours"][name] == 0)
    scores = rows.loc[[f"game_score/{name}" for name in item.split("/")[2:]]]
    return [rows["label"][item], *(f"{value:.3f}" for side in ("published", "ours") for value in scores[side])]


def means_inside(tables: Tables) -> list[str]:
    rows = tables["figure_means"]
    return [str(rows["published"].between(rows["low"], rows["high"]).sum()), str(len(rows))]


def unjudged(tables: Tables) -> list[str]:
    kinds = tables["table_kinds"].set_index("quantity")["published"]
    limits = kinds[["game_score_low", "game_score_high"]].sum()
    return [str(limits), str(kinds[[name for name in kinds.index if "_rank" in name]].sum())]


def missed_means(tables: Tables) -> list[str]:
    rows = items(tables, "mean/").query("verdict == 'reproduced'")
    return [str((rows["detectable"] > rows["matters"] / 2).sum()), str(len(rows))]


def all_together(tables: Tables) -> list[str]:
    rows = tables["table_summary"].query("count > 1")
    (row,) = rows.to_dict("records")
    numbers = [f"{row['mean']:.2f}", f"{row['deviation']:.2f}"]
    return [str(row["count"]), *(number.replace("-", "\N{MINUS SIGN}") for number in numbers), f"{row['p_value']:.2g}"]


def tuned_reports(tables: Tables) -> pd.Series:
    rows = of(tables, "figure_procedures", procedure="tune_and_report")
    return (rows["claimed_error"] / rows["deviation"]).dropna()


def sign_test(tables: Tables) -> list[str]:
    ratios = tuned_reports(tables)
    below = int((ratios < 1).sum())
    p = binomtest(min(below, len(ratios) - below), len(ratios), 0.5).pvalue
    return [str(below), str(len(ratios)), f"{p:.1g}"]


def missing_too_often(tables: Tables) -> pd.DataFrame:
    rows = tables["figure_coverage"]
    return rows[rows["failure_rate_truth"] - 2 * rows["failure_rate_truth_error"] > 0.05]


def bootstrap_misses(tables: Tables) -> list[str]:
    rows = missing_too_often(tables).query("method == 'bootstrap'").sort_values("size", kind="stable")
    rates = rows["failure_rate_truth"].map("{:.0%}".format).str.replace("%", " % with ") + rows["size"].map(str)
    variants = rows["variant"].str.replace("_", " ")
    return [text for name in variants.unique() for text in (name, joined(list(rates[variants == name])))]


def least_p(tables: Tables) -> list[str]:
    rows = missing_too_often(tables).query("method == 'bootstrap'")
    z = ((rows["failure_rate_truth"] - 0.05) / rows["failure_rate_truth_error"].clip(lower=1e-9)).max()
    return [f"{max(NormalDist().cdf(-z), 1e-16):.1g}", str(len(tables["figure_coverage"]))]


def missing_with_few(tables: Tables) -> list[str]:
    fewest = tables["figure_coverage"]["size"].min()
    rows = missing_too_often(tables)
    return [str(fewest), joined(list(rows.loc[rows["size"] == fewest, "title"].unique()))]


def other_leaders(tables: Tables) -> list[str]:
    firsts = of(tables, "figure_normalizations", rank=1).groupby("normalization")["title"].agg(set)
    others = firsts.drop("performance_percentile")
    return [str(sum(not first & firsts["performance_percentile"] for first in others)), str(len(others))]


def points_of_figure_3(tables: Tables) -> list[str]:
    rows = items(tables, "cdf/cart_pole/", "quantile/cart_pole/")
    return [str((rows["verdict"] == "reproduced").sum()), str(len(rows))]


JORDAN2020: Patterns = {
    r"Printed and here: (.*) (\S+) and (\S+); (.*) (\S+) and (\S+); (.*) (\S+) and (\S+)\.": best_scores,
    r"Of (\S+) printed numbers, (\S+) are judged: (\d+) of (\d+) claims .* \(.*\); (\d+) reproduced, (\d+) undecided, "
    r"(\d+) differ\.": jordan_verdicts,
    r"What came out the other way: the printed order is reversed: “(.*?)”, (\S+) and (\S+); here (\S+) and (\S+);.*": (
        reversed_scores
    ),
    r"Ours are from at least (\S+) trials of each algorithm in each environment, the published ones from 10,000\.": (
        lambda tables: [f"{tables['figure_5']['runs'].iloc[0]:,.0f}"]
    ),
    r"(\d+) of (\d+) published means lie within two standard errors of ours \(expected: 95 %\)": means_inside,
    r"(\d+) undecided, (\d+) reproduced: in the ledger": lambda tables: [
        str(verdicts(tables)[name]) for name in ("undecided", "reproduced")
    ],
    r"Not judged: (\d+) limits of aggregate scores \(Figure 5\); (\d+) ranks \(Table 1, Appendix I\)\.": unjudged,
    r"Half of that could have been missed in (\d+) of the (\d+) means that are reproduced\.": missed_means,
    r"All differences together: (\d+) means, .* by (\S+) standard errors .* deviation of (\S+) \(.* p = (\S+)\)\.": (
        all_together
    ),
    r"No joint test rejects \((\d+) tests of the mean, .*, 1 % overall\)\.": lambda tables: [
        str(len(tables["table_joint"]))
    ],
    r"Tuned reports state (\d+) % of their error \(median of (\d+) cases\)\.": lambda tables: [
        f"{100 * tuned_reports(tables).median():.0f}",
        str(len(tuned_reports(tables))),
    ],
    r"Tuned reports state (\d+) % of their error \(median\)": lambda tables: [
        f"{100 * tuned_reports(tables).median():.0f}"
    ],
    r"Sign test: (\d+) of (\d+) cases below 100 %, p = (\S+); one look\.": sign_test,
    r"It should miss it in 5 % of data sets, and .*: (.*?), (.*) trials; (.*?), (.*) trials\.": bootstrap_misses,
    r"Least one-sided p = (\S+), of (\d+) looks \(methods, variants and numbers of trials\)\.": least_p,
    r"With (\d+) trials, the truth is missed too often by (.*)": missing_with_few,
    r"(\d+) of (\d+) other scales put another algorithm first than the performance percentile": other_leaders,
    r"Not tested; (\d+) other scales looked at\.": lambda tables: other_leaders(tables)[1:],
    r"(\d+) of (\d+) points read off the paper's figure agree with our distributions": points_of_figure_3,
}
TYPED_IN_JORDAN2020 = (
    "Jordan, Chandak, Cohen, Zhang and Thomas, ICML 2020",
    "Without tuning, Sarsa-Parl2 and Q-Parl2",
    "Each aggregate score (Figure 5 and Table 1 of the paper",
    "Dashed: 0, and the limits ... with 95 %",
    "Limits of aggregate scores depend on the number of trials: only 10,000 trials",
    "Limits of means are compared where there are 200 single trials",
    "Standard errors use the spread of our trials, but no more than 1.25 times",
    "If both programs do the same, the average is 0 and the standard deviation 1",
    "Solid: as the text says; ... rings: Table 2",
    "The horizontal line is at 5 %",
    "Returns must be put on one scale before ... (section 4.1",
    "Distribution functions of returns in cart-pole (Figure 3 of the paper): ours with simultaneous 95 %",
)

# Castronovo et al. 2016


def played_lists(tables: Tables) -> list[str]:
    orders = tables["table_orders"]
    rows = claims(tables)
    return [str((rows["ours"] == rows["published"]).sum()), str(orders["agree"].sum()), str(orders["named"].sum())]


def castronovo_verdicts(tables: Tables) -> list[str]:
    found = verdicts(tables)
    return [judged(tables), *against(tables), *(str(found[name]) for name in ("reproduced", "undecided", "differs"))]


def undecided_by(tables: Tables) -> list[str]:
    found = Counter(of(tables, "reproduction", verdict="undecided")["undecided_by"])
    return [str(found[name]) for name in ("the paper", "our runs")]


def best_in_environments(tables: Tables) -> list[str]:
    rows = tables["figure_best"]
    counts = rows.groupby("title", sort=False)["among_best"].sum().sort_values(ascending=False, kind="stable")
    first = [text for name in counts.index[:3] for text in (name, str(counts[name]))]
    return [str(rows["environment"].nunique()), *first]


def published_inside(tables: Tables) -> list[str]:
    rows = tables["figure_best"].dropna(subset="published")
    inside = rows["published"].between(rows["low"], rows["high"]).sum()
    return [f"{tables['figure_best']['runs'].max():,.0f}", str(inside), str(len(rows))]


def joint_tests(tables: Tables) -> list[str]:
    rows = tables["table_joint"]
    return [str(2 * len(rows)), f"{rows[['p_mean', 'p_scatter']].min(axis=None):.2g}"]


def tied_agents(tables: Tables) -> list[str]:
    rows = tables["figure_losses"]
    limits = sorted(rows["limit"].unique())
    names = {limit: list(rows.loc[(rows["limit"] == limit) & rows["tied"], "title"]) for limit in limits}
    return [joined(names[limits[0]]), joined(names[math.inf])]


CASTRONOVO2016: Patterns = {
    r"The largest difference of a score is (\S+) standard errors\.": lambda tables: [
        f"{tables['reproduction']['z'].astype(float).abs().fillna(0).max():.1f}"
    ],
    r"The paper names (\d+) lists of best agents for a growing limit on online time\.": lambda tables: [
        str(len(claims(tables)))
    ],
    r"In the recorded run, (\d+) came out in its order, and in the run of this page (\d+) of (\d+)\.": played_lists,
    r"Of (\d+) published scores .*: (\d+) of (\d+) claims .* 4 to 200 MDPs: \d+\); (\d+) reproduced, (\d+) "
    r"undecided, (\d+) differ\.": castronovo_verdicts,
    r"For (\d+) scores the paper's own 500 MDPs .*, for (\d+) our MDPs could not\.": undecided_by,
    r"Best or tied with the best, of (\d+) .*: (.*?) in (\d+), (.*?) in (\d+), (.*?) in (\d+) and others .*": (
        best_in_environments
    ),
    r"Ticks and bars: ours, from up to (\S+) MDPs, with 95 % .* 9 and 13 .* 500 MDPs\), .*; (\d+) of (\d+) lie .*": (
        published_inside
    ),
    r"(\d+) undecided, (\d+) reproduced: in the ledger": lambda tables: [
        str(verdicts(tables)[name]) for name in ("undecided", "reproduced")
    ],
    r"No joint test .* rejects \((\d+) tests, 1 % overall; smallest p: (\S+)\)\.": joint_tests,
    r"Times depend on the machine, .* of this build \((\S+) on here, .*\)\.": lambda tables: [
        f"{tables['table_plays']['plays'].iloc[0]:,}"
    ],
    r"Of the settings of this build: within 10 ms, (.*) has .*; without a limit, (.*) are tied .*": tied_agents,
}
TYPED_IN_CASTRONOVO2016 = (
    "Castronovo, Ernst, Couëtoux and Fonteneau, PLoS ONE 2016",
    "In colour: the best, and those tied with it by simultaneous 95 %",
    "Dashed: the limits ... with 95 %",
    "Its OPPS-DS explores with a constant of 660; in the text it is 2...{2",
    "Bars: 95 % intervals",
    "Figure 1 has the published settings",
    "An agent plays one trajectory of 250 decisions on each MDP; ... 0.95 per step",
    "In the paper's three distributions, all positive counts are 1",
    "The generalised chain, GC (paper: Figure 3",
    "Not drawn: the first state may lead back to itself, which pays 2, and so may the last, which pays 10",
    "The generalised double loop, GDL (paper: Figure 4",
    "The grid (paper: Figure 5",
    "A move may fail ...; arriving at the last cell, 24, pays 10",
)

# Adkins et al. 2024


def sensitive_variants(tables: Tables) -> list[str]:
    rows = tables["table_variants"].set_index("algorithm")
    ppo = rows.loc["lambda_ac"]
    better = rows[rows["tuned"] > ppo["tuned"]]
    relying = better[better["sensitivity"] > ppo["sensitivity"]]
    counts = [str(len(better)), f"{ppo['tuned']:.2f}", str(len(relying)), f"{ppo['sensitivity']:.2f}"]
    return [*counts, ", ".join(relying["title"])]


def of_agent(tables: Tables, place: int, quantity: str) -> pd.Series:
    rows = tables["table_selection"]
    return rows[(rows["algorithm"] == rows["algorithm"].unique()[place]) & (rows["quantity"] == quantity)].iloc[0]


def scores_of_agent(tables: Tables, place: int) -> list[str]:
    row = of_agent(tables, place, "tuned")
    return [row["title"], *(f"{row[name]:.3f}" for name in ("estimate", "held_out", "estimate_fresh"))]


def gains(tables: Tables) -> list[list[str]]:
    rows = [of_agent(tables, place, "sensitivity") for place in (0, 1)]
    shares = [100 * (1 - row["estimate_fresh"] / row["estimate"]) for row in rows]
    return [
        [f"{row['estimate']:.3f}", f"{row['estimate_fresh']:.3f}", f"{share:.0f}"]
        for row, share in zip(rows, shares, strict=True)
    ]


ADKINS2024: Patterns = {
    r"Of (\d+) variants .* PPO \((\S+)\), (\d+) gain more .* does \((\S+)\): (.*)\.": sensitive_variants,
    r"A demonstration with runs: .* \(2020\) with each of 96 settings .*, (\S+) runs .*, and (\S+) fresh .*\. "
    r"(.*) reaches (\S+) by .*, and (\S+) by runs held out; its best settings are worth (\S+)\.": lambda tables: [
        *(f"{of_agent(tables, 0, 'tuned')[name]:,.0f}" for name in ("runs", "runs_fresh")),
        *scores_of_agent(tables, 0),
    ],
    r"(Sarsa\S*) reaches (\S+) by .*, and (\S+) by runs held out; its best settings are worth (\S+)\.": lambda tables: (
        scores_of_agent(tables, 1)
    ),
    r"It seems to gain (0\.016) by tuning in each environment, and gains (\S+): (\d+) % of the gain is selection\.": (
        lambda tables: gains(tables)[0]
    ),
    r"It seems to gain (0\.014) by tuning in each environment, and gains (\S+): (\d+) % of the gain is selection\.": (
        lambda tables: gains(tables)[1]
    ),
    r"No test: intervals of 95 % each, (\d+) looked at\.": lambda tables: [str(len(tables["table_selection"]))],
}
TYPED_IN_ADKINS2024 = (
    "Adkins, Bowling and White, 2024",
    "Score with the best of up to 625 settings",
    "The paper's figure has 95 %",
    "Dashed: 95 %",
    "Scores from 0 (an agent that learns little) to 1",
    "Held out and limits: of the same few runs, 95 %",
    "Returns were scaled in each environment so that the 5th percentile ... is 0, and the 95th is 1",
    "Dimension: the fewest hyperparameters that reach 95 %",
    "snakemake adkins2024 ... (1 MB",
)

# A report


def best_of_report(tables: Tables) -> list[str]:
    rows = tables["scores"][tables["scores"]["method"] == tables["scores"]["method"].iloc[0]]
    best = rows.loc[rows["estimate"].idxmax()]
    ends = best[["low", "high"]].clip(0, 1)  # which no score can leave
    return [best["title"], f"{best['estimate']:.3f}", *(f"{end:.3f}" for end in ends)]


def separated_from(tables: Tables) -> list[str]:
    rows = tables["scores"][tables["scores"]["method"] == tables["scores"]["method"].iloc[0]]
    best = rows.loc[rows["estimate"].idxmax()]
    return [best["title"], str((rows["high"] < best["low"]).sum()), str(len(rows) - 1)]


def cells(tables: Tables) -> list[str]:
    """Return the number of algorithms, of environments, and the fewest and most runs of a pair."""
    runs = tables["table_runs"].set_index("environment")
    return [str(runs.shape[1]), str(runs.shape[0]), str(runs.min(axis=None)), str(runs.max(axis=None))]


def counted_environments(names: pd.Series, environments: int) -> list[str]:
    """Return in how many environments each algorithm is, those with most first."""
    (first, most), (second, fewer) = names.value_counts(sort=True).sort_index(ascending=False).items()
    return [first, str(most), str(environments), second, str(fewer)]


def best_means(tables: Tables) -> list[str]:
    rows = tables["means"]
    return counted_environments(rows.loc[rows["rank_high"] == 1, "title"], rows["environment"].nunique())


def best_medians(tables: Tables) -> list[str]:
    rows = tables["distributions"]
    low, high = (
        rows[rows[band] >= 0.5].groupby(["environment", "algorithm"])["score"].min() for band in ("high", "low")
    )
    best = high[high >= low.groupby("environment").transform("max").reindex(high.index)]
    return counted_environments(best.reset_index()["algorithm"], rows["environment"].nunique())


REPORT: Patterns = {
    r"Counted by environment: (\S+) in (\d+) of (\d+) environments, (\S+) in (2)\.": best_means,
    r"Counted by environment: (\S+) in (\d+) of (\d+) environments, (\S+) in (1)\.": best_medians,
    r"(\S+) has the highest aggregate score, (\S+) \((\S+) to (\S+)\)\.?": best_of_report,
    r"The interval of (\S+) \(PBP\) lies above those of (\d+) of (\d+) other\.?": separated_from,
    r"Aggregate scores\. (\d+) algorithms in (\d+) environments, (\d+) to (\d+) runs per pair\.": cells,
    r"(\d+) algorithms, (\d+) environments, (\d+) to (\d+) runs per pair, (\d+) runs in all\.": lambda tables: [
        *cells(tables),
        str(tables["table_runs"].set_index("environment").sum().sum()),
    ],
    r"Bars: simultaneous (\d+) % intervals \((\S+) resamples\)\.": lambda tables: [
        f"{100 * tables['scores']['confidence_level'].iloc[0]:.0f}",
        f"{tables['scores']['n_resamples'].max():,.0f}",
    ],
}
TYPED_IN_REPORT = (
    "Limits are cut off at 0 and 1",
    "Weight of each environment ... sum to 1, and those below 0.0005",
    "Intervals: Anderson, 95 %",
    "Bands: Dvoretzky\N{EN DASH}Kiefer\N{EN DASH}Wolfowitz, simultaneous 95 %",
)


def jordan_tables() -> tuple[str, dict[str, pd.DataFrame], dict[str, object]]:
    tables = stand_in_tables(*published_names(), 250)
    tables |= coverage_tables() | records(tables) | {"estimate/sample_distributions": subsamples(tables)}
    return "jordan2020", tables | analyses(tables) | sharper(tables), settings()


def castronovo_tables() -> tuple[str, dict[str, pd.DataFrame], dict[str, object]]:
    selection = read_table(REPORTS / "records" / "castronovo2016_selection.csv")
    return "castronovo2016", tables_of_plays() | {"record_selection": selection}, settings_of_plays()


def adkins_tables() -> tuple[str, dict[str, pd.DataFrame], dict[str, object]]:
    folder = REPORTS / "records" / "adkins2024"
    kept = {path.stem: read_table(path) for path in folder.glob("*.csv")}
    tables = {f"{kind}/{name}": table for name, table in kept.items() for kind in ("numbers", "recorded")}
    tables |= {"record": kept["record"], "published": read_table(ROOT / "config" / "published" / "adkins2024.csv")}
    return "adkins2024", tables, settings() | {"analyses": [], "recorded": "2026-01-02"}


def report_tables() -> tuple[str, dict[str, pd.DataFrame], dict[str, object]]:
    runs = {("dqn", "pong"): 5, ("dqn", "qbert"): 3, ("ppo", "pong"): 10, ("ppo", "qbert"): 4}
    return "study", stand_in_tables(["dqn", "ppo"], ["pong", "qbert"], runs), settings()


@pytest.mark.parametrize(
    ("given", "patterns", "typed"),
    [
        (jordan_tables, JORDAN2020, TYPED_IN_JORDAN2020),
        (castronovo_tables, CASTRONOVO2016, TYPED_IN_CASTRONOVO2016),
        (adkins_tables, ADKINS2024, TYPED_IN_ADKINS2024),
        (report_tables, REPORT, TYPED_IN_REPORT),
    ],
)
def test_sentences_on_runs_follow_from_their_tables(given, patterns, typed, tmp_path):
    page, tables, facts = given()
    draw(tmp_path, page, with_comparisons(page, tables, facts), facts)
    html = page_of(page, tmp_path, page)
    check_sentences(html, tables_of(html, tmp_path, page), patterns, typed)
