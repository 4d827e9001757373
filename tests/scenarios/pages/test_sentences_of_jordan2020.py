"""Every sentence with a number on the page of jordan2020 follows from stand-in tables."""

import itertools
import re
from collections import Counter

import pandas as pd
from scipy.stats import binomtest, norm
from support.page_sentences import (
    OF_A_PAPER,
    REPORTS,
    Patterns,
    Tables,
    against,
    check_page,
    claims,
    items,
    judged,
    nominal,
    of,
    verdicts,
)
from support.stand_in_tables import settings, tables_of_jordan2020

from surefoot.rounding import joined
from surefoot.runs.result_tables import read_table


def best_scores(tables: Tables) -> list[str]:
    rows = tables["figure_5"].head(3)
    return [text for row in rows.itertuples() for text in (row.title, f"{row.published:.3f}", f"{row.estimate:.3f}")]


def judged_numbers(tables: Tables) -> list[str]:
    return [f"{tables['table_kinds']['published'].sum():,}", judged(tables), *against(tables)]


def other_verdicts(tables: Tables) -> list[str]:
    return [str(verdicts(tables)[name]) for name in ("reproduced", "undecided", "differs")]


def reversed_scores(tables: Tables) -> list[list[str]]:
    """Return the label and the four scores of each contradicted order."""
    rows = tables["reproduction"].set_index("item")
    found = []
    for item in rows.index[rows.index.str.startswith("claim/higher_score/") & (rows["ours"] == 0)]:
        scores = rows.loc[[f"game_score/{name}" for name in item.split("/")[2:]]]
        texts = [f"{value:.3f}" for side in ("published", "ours") for value in scores[side]]
        found.append([rows["label"][item], *texts])
    return found


def contradicted_kinds(tables: Tables) -> pd.Series:
    """Return the kinds of the contradicted claims that are not about the order of two scores, by row."""
    rows = claims(tables).query("verdict == 'contradicted'")
    kinds = rows["item"].str.split("/").str[1]
    return kinds[kinds != "higher_score"]


def contradicted_claims(tables: Tables) -> list[list[str]]:
    """Return the labels and reasons with a number, those of a kind together, except claims that PBP separates."""
    kinds = contradicted_kinds(tables)
    order = {kind: place for place, kind in enumerate(kinds.unique())}
    rows = tables["reproduction"].loc[kinds.map(order).sort_values(kind="stable").index]
    rows = rows[~rows["item"].str.startswith("claim/separated/")]
    labels = rows["label"].str.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    texts = [[label, reason] for label, reason in zip(labels, rows["reason"], strict=True)]
    return [text for text in texts if re.search(r"\d", "".join(text))]


def separated_by_pbp(tables: Tables) -> list[str]:
    return [str((contradicted_kinds(tables) == "separated").sum())]


def differences_by_pbp(tables: Tables) -> list[str]:
    kinds = contradicted_kinds(tables)
    rows = tables["reproduction"].loc[kinds.index[kinds == "separated"]]
    spans = [sorted({f"{end(rows[name]):.2g}" for end in (min, max)}) for name in ("detectable", "matters")]
    return [f"{tables['figure_5']['runs'].iloc[0]:,.0f}", *(" to ".join(span) for span in spans)]


def verdicts_by_reason(tables: Tables) -> list[list[str]]:
    """Return how many claims our runs decide against, and how many they are too few to decide."""
    decides = claims(tables).query("verdict == 'contradicted'")["reason"].str.contains("decide against")
    return [[str(decides.sum())], [str((~decides).sum())]]


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
    p_value = float(norm.sf(z))
    return [f"= {p_value:.1g}" if p_value > 1e-15 else "< 1e-15", str(len(tables["figure_coverage"]))]


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
    r"Printed scores and ours: (.*) (\S+) and (\S+); (.*) (\S+) and (\S+); (.*) (\S+) and (\S+)\.": best_scores,
    r"Of (\S+) printed numbers, (\S+) are judged: (\d+) of (\d+) claims are contradicted by our numbers\.": (
        judged_numbers
    ),
    r"The other verdicts: (\d+) reproduced, (\d+) undecided, (\d+) differ\.": other_verdicts,
    r"The claim “(.*?)” is reversed: the printed scores are (\S+) and (\S+), and ours (\S+) and (\S+)\.": (
        reversed_scores
    ),
    r"In (\d+) cases, our runs .*\.": verdicts_by_reason,
    r"The claim “([^”]*)” is contradicted \((our runs .*)\)\.": contradicted_claims,
    r"(\d+) claims say that Sarsa-Parl2 or Q-Parl2 is better than another algorithm by intervals of .* \(PBP\)\.": (
        separated_by_pbp
    ),
    r"With as few as (\S+) trials .*, PBP detects only differences of at least (.*), and the printed ones are (.*)\.": (
        differences_by_pbp
    ),
    r"On average, the (\d+) means, .* lie (\S+) standard errors from ours \(p = (\S+)\)\.": lambda tables: [
        *(all_together(tables)[0], all_together(tables)[1].removeprefix("\N{MINUS SIGN}")),
        f"{tables['table_summary'].query('count > 1')['p_value'].iloc[0]:.1g}",
    ],
    r"Ours are from at least (\S+) trials of each algorithm in each environment, the published ones from 10,000\.": (
        lambda tables: [f"{tables['figure_5']['runs'].iloc[0]:,.0f}"]
    ),
    r"(\d+) of (\d+) published means lie within two standard errors of ours \(expected: 95 %\)": means_inside,
    r"(\d+) undecided, (\d+) reproduced: in the ledger": lambda tables: [
        str(verdicts(tables)[name]) for name in ("undecided", "reproduced")
    ],
    r"Not judged: (\d+) limits of aggregate scores \(Figure 5\); (\d+) ranks \(Table 1, Appendix I\)\.": unjudged,
    r"For (\d+) of the (\d+) reproduced means, a difference half as large could have been missed\.": missed_means,
    r"All differences together: (\d+) means, .* by (\S+) standard errors .* deviation of (\S+) \(.* p = (\S+)\)\.": (
        all_together
    ),
    r"No joint test rejects \((\d+) tests of the mean, .*, 1 % overall\)\.": lambda tables: [
        str(len(tables["table_joint"]))
    ],
    r"After tuning, the stated standard error is (\d+) % of the .* \(median of (\d+) cases\)\.": lambda tables: [
        f"{100 * tuned_reports(tables).median():.0f}",
        str(len(tuned_reports(tables))),
    ],
    r"After tuning, the stated standard error is (\d+) % of the actual one \(median\)": lambda tables: [
        f"{100 * tuned_reports(tables).median():.0f}"
    ],
    r"Sign test: (\d+) of (\d+) cases below 100 %, p = (\S+); no other test was made\.": sign_test,
    r"It should miss it in 5 % of data sets, but .*: (.*?), (.*) trials; (.*?), (.*) trials\.": bootstrap_misses,
    r"Smallest one-sided p ([=<] \S+), of (\d+) tests \(methods, variants and numbers of trials\)\.": least_p,
    r"With (\d+) trials, the truth is missed too often by (.*)": missing_with_few,
    r"On (\d+) of (\d+) other scales, a different algorithm is first than on the performance percentile": other_leaders,
    r"Not tested; (\d+) other scales were examined\.": lambda tables: other_leaders(tables)[1:],
    r"(\d+) of (\d+) points read off the paper's figure agree with our distributions": points_of_figure_3,
}
TYPED_IN_JORDAN2020 = (
    "Jordan, Chandak, Cohen, Zhang and Thomas, ICML 2020",
    "Without tuning, Sarsa-Parl2 and Q-Parl2",
    "Each aggregate score (Figure 5 and Table 1 of the paper",
    "Dashed: 0, and limits that, with 95 %",
    "Limits of aggregate scores depend on the number of trials: only 10,000 trials",
    "Limits of means are compared where an algorithm has at least 200 single trials",
    "Our limits are computed from these trials, but with Dvoretzky-Kiefer-Wolfowitz (DKW) bands as wide as those of "
    "the paper's 10,000 trials",
    "Standard errors use the spread of our trials, but no more than 1.25 times",
    "If both programs do the same, the average is 0 and the standard deviation 1",
    "Solid: as in the text; ... rings: Table 2",
    "The horizontal line is at 5 %",
    "Returns must be put on one scale before ... (section 4.1",
    "Distribution functions of returns in cart-pole (Figure 3 of the paper): ours with simultaneous 95 %",
)


def test_sentences_follow_from_the_tables(tmp_path):
    check_page("jordan2020", tables_of_jordan2020(), settings(), JORDAN2020, TYPED_IN_JORDAN2020, tmp_path)


def highest_medians(tables: Tables) -> list[list[str]]:
    """Return, for each group, which algorithms have the highest median return, and in how many environments."""
    found = []
    for group in ("classic_control", "pinball", "gridworld", "chain"):
        rows = tables[f"figure_appendix_{group}"]
        medians = rows[rows["probability"] >= 0.5].drop_duplicates(["environment", "algorithm"])
        best: Counter[str] = Counter()
        for _, part in medians.groupby("environment", sort=False):
            best.update(part.loc[part["score"] == part["score"].max(), "algorithm"])
        texts = [f"{settings()['titles'].get(name, name)} in {count}" for name, count in best.most_common()]
        texts[0] += f" of {medians['environment'].nunique()} environments"
        found.append([", ".join(texts if len(texts) <= 3 else [*texts[:3], "and others"])])
    return found


def widest_bands(tables: Tables) -> list[str]:
    rows = tables["figure_4"]
    reach = (rows["high"] - rows["low"]).groupby(rows["size"]).max()
    ends = (reach.index.min(), reach.index.max())
    return [text for size in ends for text in (f"{reach[size]:.2f}", f"{size:,}")]


def reversed_pairs(tables: Tables) -> list[str]:
    """Return the most trials, and how many pairs of algorithms are in another order by the best of these."""
    rows = tables["figure_tuning"]
    most = rows["candidates"].max()
    turned = pairs = 0
    for _, part in rows.groupby("environment"):
        scores = part.pivot(index="algorithm", columns="candidates", values="estimate")
        if most not in scores:
            continue
        for first, second in itertools.combinations(scores.index, 2):
            change = scores.loc[first] - scores.loc[second]
            turned += change[1] * change[most] < 0
            pairs += 1
    return [str(most), str(turned), str(pairs)]


def environments_with_reversals(tables: Tables) -> list[str]:
    rows = tables["figure_tuning"]
    ranks = rows[rows["candidates"].isin((1, rows["candidates"].max()))]
    ranks = ranks.pivot(index=["environment", "algorithm"], columns="candidates", values="rank").dropna()
    turned = (ranks[1] != ranks.iloc[:, -1]).groupby("environment").any()
    return [str(turned.sum()), str(len(turned))]


APPENDIX: Patterns = {
    OF_A_PAPER: nominal,
    r"Highest median return: (.*)": highest_medians,
    r"The band is at most (\S+) wide with (\S+) trials and (\S+) wide with (\S+) trials": widest_bands,
    r"Reporting the best of (\d+) trials reverses (\d+) of (\d+) pairs of algorithms": reversed_pairs,
    r"Such pairs exist in (\d+) of (\d+) environments with at least 10 trials\.": environments_with_reversals,
}
TYPED_IN_APPENDIX = ("Appendix to Jordan et al. 2020",)


def test_sentences_of_the_appendix_follow_from_the_tables(tmp_path):
    tables = tables_of_jordan2020()
    tables["record_distributions"] = read_table(REPORTS / "records" / "jordan2020_distributions.csv")
    check_page("jordan2020", tables, settings(), APPENDIX, TYPED_IN_APPENDIX, tmp_path, "jordan2020_appendix")
