"""Every sentence with a number on the page of castronovo2016 follows from stand-in tables."""

import math
from collections import Counter

import pandas as pd
from support.page_sentences import (
    OF_A_PAPER,
    REPORTS,
    Patterns,
    Tables,
    against,
    check_page,
    claims,
    judged,
    nominal,
    of,
    verdicts,
)
from support.stand_in_plays import settings as settings_of_plays
from support.stand_in_plays import tables_of_plays

from surefoot.rounding import joined
from surefoot.runs.result_tables import read_table


def played_lists(tables: Tables) -> list[str]:
    orders = tables["table_orders"]
    rows = claims(tables)
    return [str((rows["ours"] == rows["published"]).sum()), str(orders["agree"].sum()), str(orders["named"].sum())]


def other_verdicts(tables: Tables) -> list[str]:
    return [str(verdicts(tables)[name]) for name in ("reproduced", "undecided", "differs")]


def undecided_by(tables: Tables) -> list[str]:
    found = Counter(of(tables, "reproduction", verdict="undecided")["undecided_by"])
    return [str(found[name]) for name in ("the paper", "our runs")]


def best_in_environments(tables: Tables) -> list[str]:
    rows = tables["figure_best"]
    counts = rows.groupby("title", sort=False)["among_best"].sum().sort_values(ascending=False, kind="stable")
    first = [text for name in counts.index[:3] for text in (name, str(counts[name]))]
    return [*first[:2], str(rows["environment"].nunique()), *first[2:]]


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
    r"The largest difference between our score and a published one is (\S+) standard errors\.": lambda tables: [
        f"{tables['reproduction']['z'].astype(float).abs().fillna(0).max():.1f}"
    ],
    r"The paper names (\d+) lists .* time\. (\d+) of them .* run, and (\d+) of (\d+) in the run of this page\.": (
        lambda tables: [str(len(claims(tables))), *played_lists(tables)]
    ),
    r"Of (\d+) published scores and claims: (\d+) of (\d+) claims are contradicted by our numbers\.": lambda tables: [
        *(judged(tables), *against(tables))
    ],
    r"In all (\d+) cases, the machine decides .* with only 4 to 200 MDPs\.": lambda tables: against(tables)[:1],
    r"The other verdicts: (\d+) reproduced, (\d+) undecided, (\d+) differ\.": other_verdicts,
    r"For (\d+) scores the paper's own 500 MDPs .*, and for (\d+) our MDPs could not\.": undecided_by,
    r"Best or tied with the best: (.*?) in (\d+) of (\d+) .*, (.*?) in (\d+), (.*?) in (\d+) and others .*": (
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
    r"Among the settings of this build: within 10 ms, (.*) has .*; without a limit, (.*) are tied .*": tied_agents,
}
TYPED_IN_CASTRONOVO2016 = (
    "Castronovo, Ernst, Couëtoux and Fonteneau, PLoS ONE 2016",
    "In colour: the best, and those tied with it by simultaneous 95 %",
    "Dashed: limits that, with 95 %",
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


def castronovo_tables() -> tuple[str, dict[str, pd.DataFrame], dict[str, object]]:
    selection = read_table(REPORTS / "records" / "castronovo2016_selection.csv")
    return "castronovo2016", tables_of_plays() | {"record_selection": selection}, settings_of_plays()


def test_sentences_follow_from_the_tables(tmp_path):
    page, tables, facts = castronovo_tables()
    check_page(page, tables, facts, CASTRONOVO2016, TYPED_IN_CASTRONOVO2016, tmp_path)


def best_scores(tables: Tables) -> list[list[str]]:
    """Return, for each case and kind of time, the agent with the best score in each environment, fastest first."""
    found = []
    for name, time in (
        ("figure_6", "seconds_offline"),
        ("figure_7", "seconds_decision"),
        ("figure_10", "seconds_offline"),
        ("figure_11", "seconds_decision"),
    ):
        rows = tables[name].sort_values("estimate", ascending=False, kind="stable").drop_duplicates("environment")
        rows = rows.sort_values(time, kind="stable")
        found.append([joined([f"{row.title} in {row.environment_title} ({row.time})" for row in rows.itertuples()])])
    return found


def most_often_best(tables: Tables) -> list[list[str]]:
    found = []
    for name in ("figure_8", "figure_12"):
        limits = tables[name].groupby("title")["milliseconds_online"].count()
        of_all = len(tables[name].drop_duplicates(["environment", "milliseconds_online"]))
        found.append([limits.idxmax(), str(limits.max()), str(of_all)])
    return found


APPENDIX: Patterns = {
    OF_A_PAPER: nominal,
    r"Best score: (.*)": best_scores,
    r"(\S+) is among the best most often: within (\d+) of (\d+) limits on online time": most_often_best,
    r"All (\d+) agents of this build with .*": lambda tables: [str(len(tables["table_agents"]))],
}
TYPED_IN_APPENDIX = ("Appendix to Castronovo et al. 2016",)


def test_sentences_of_the_appendix_follow_from_the_tables(tmp_path):
    group, tables, facts = castronovo_tables()
    check_page(group, tables, facts, APPENDIX, TYPED_IN_APPENDIX, tmp_path, "castronovo2016_appendix")
