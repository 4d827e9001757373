"""Every sentence with a number on the pages of records and on the ledger follows from the tables that the pages offer.

A sentence must have a pattern below, whose groups are recomputed; one without a number to recompute has no groups.
"""

import shutil
from collections import Counter
from collections.abc import Callable

import pandas as pd
import pytest
from support.drawings import with_comparisons
from support.page_sentences import LEDGER, REPORTS, Patterns, Tables, check_sentences, draw, nominal, offered, page_of
from support.stand_in_tables import settings

from surefoot.rounding import joined
from surefoot.runs.result_tables import read_table

RECORDS = REPORTS / "records"
KEPT = [*RECORDS.glob("[tl]*/*.csv")]


def percent(share: float, decimals: int = 0) -> str:
    return f"{100 * share:.{decimals}f}"


def of_iqm(table: pd.DataFrame, **where: str) -> pd.DataFrame:
    """Rows of the IQM in which columns have these values."""
    rows = table[table["target"] == "iqm"]
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows


def with_few_runs(table: pd.DataFrame) -> list[str]:
    """The fewest runs, and how often the usual interval and Student's miss the IQM with these."""
    few = of_iqm(table[table["runs"] == table["runs"].min()]).set_index("method")["failure_rate"]
    return [str(table["runs"].min()), percent(few["percentile"]), percent(few["student"])]


def of_shared_runs(tables: Tables) -> list[str]:
    rows = of_iqm(tables["trust_table_remarks"], remark="runs may vary together", shared="yes")
    row = rows.iloc[0]
    return [percent(row["failure_rate"]), f"{row['datasets']:,}", percent(row["whole_runs"])]


def of_all_runs(tables: Tables) -> list[str]:
    table = tables["trust_figure_pooled"].sort_values("runs")
    rates = [of_iqm(table, method=method)["failure_rate"] for method in ("student", "percentile")]
    return [percent(rate, 1) for rate in pd.concat(rates)]


def of_kinds(tables: Tables, *wanted: tuple[str, str]) -> list[str]:
    rows = of_iqm(tables["trust_table_kinds"], remark="any").set_index("method")
    return [f"{rows.loc[method, column]:.0f}" for method, column in wanted]


def better_kinds(tables: Tables) -> list[str]:
    table = tables["trust_kinds"]
    return [str((table["student"] < table["percentile"]).sum()), str(len(table))]


def unequal_kinds(tables: Tables) -> list[str]:
    table = tables["trust_kinds"]
    return [str(table["data"].str.contains("unequal numbers of runs").sum()), str(len(table))]


def kinds_of_home(tables: Tables) -> list[str]:
    return [str(of_iqm(tables["home_misses"], method="student")["kinds"].sum())]


SHARE = r"(\S+) %"
PATTERNS: dict[str, Patterns] = {
    "index": {
        rf"With (\d+) runs, the usual 95 % interval misses the truth in {SHARE} of studies, Student's in {SHARE}": (
            lambda tables: with_few_runs(tables["home_misses"])
        ),
        rf"It claims 95 % .* with (\d+) runs it misses .* in {SHARE} of studies, and .* in {SHARE}\.": lambda tables: (
            with_few_runs(tables["home_misses"])
        ),
        r"How often 95 % intervals .* miss the truth, over (\d+) kinds .* 1 to 26 tasks, .*": kinds_of_home,
        r"This is how a page of surefoot report begins, here with the public runs of Atari 100k\.": nominal,
    },
    "trust": {
        rf"The worst first: .* missed in {SHARE} of (\S+) simulated data sets, .* in {SHARE}\.": of_shared_runs,
        rf"With 3, 5 and 10 runs .* in {SHARE}, {SHARE} and {SHARE}; .* in {SHARE}, {SHARE} and {SHARE}\.": of_all_runs,
        r"Student's interval misses less often than the percentile bootstrap in (\d+) of (\d+) kinds": better_kinds,
        rf"With (\d+) runs, .* misses the IQM in {SHARE} of data sets, Student's interval in {SHARE}": lambda tables: (
            with_few_runs(tables["trust_figure_pooled"])
        ),
        r"A random number generator with a fixed seed drew (\d+) kinds .* up to (\d+) data sets of each\.": (
            lambda tables: of_kinds(tables, ("student", "drawn"), ("student", "datasets"))
        ),
        r"Whatever the remark, .* in (\d+) kinds, the percentile bootstrap in (\d+)\.": lambda tables: of_kinds(
            tables, ("student", "failing"), ("percentile", "failing")
        ),
        r"In (\d+) of the (\d+) kinds, tasks have unequal numbers of runs\.": unequal_kinds,
        r".*“runs may vary together on all tasks \(p = 0\.31\), which 5 runs do not rule out: .*": nominal,
        r"A 95 % interval should miss the truth in 5 % of studies\.": nominal,
        r"How often Student's 95 % interval misses the truth, by its remark .*": nominal,
        r"A remark is used only if .* at least 7 % .* at least 1\.25 times as often as those without\.": nominal,
        r"Intervals of the IQM in simulated studies, .* as 5 % should\.": nominal,
        r"Ticks: how often 95 % intervals miss the truth, .* 95 % limits of these rates\.": nominal,
        r"Dashed: the nominal 5 %\.": nominal,
        r"By chance: the worst to be expected if each kind missed in 5 %\.": nominal,
        r"Failing: kinds that miss significantly more often, all tested together at 5 %\.": nominal,
        r"Ties, one failing run in ten, .* 2 to 100 runs\.": nominal,
    },
}


def tied_with_the_best(benchmark: str) -> Callable[[Tables], list[str]]:
    """Return the algorithms that a leaderboard ties with the best."""

    def recomputed(tables: Tables) -> list[str]:
        table = tables[f"leaderboards_{benchmark}"]
        return [joined(table.loc[table["tied_with_best"], "algorithm"].tolist())]

    return recomputed


def number_of_tasks(benchmark: str) -> Callable[[Tables], list[str]]:
    return lambda tables: [str(number) for number in tables[f"leaderboards_{benchmark}"]["tasks"].unique()]


TITLES = {"atari_100k": "Atari 100k", "ale_200m": "Atari 200M", "dm_control_100k": "DM Control 100k"}
TITLES |= {"dm_control_500k": "DM Control 500k"}
PATTERNS["leaderboards"] = {
    rf"(.*) are tied for the best IQM on {title}": tied_with_the_best(name) for name, title in TITLES.items()
} | {
    r"(\d+) games after 100,000 agent steps, 100 evaluation episodes .*": number_of_tasks("atari_100k"),
    r"(\d+) games after 200 million frames with sticky actions\.": number_of_tasks("ale_200m"),
    r"(\d+) tasks after 100,000 environment steps, .*; returns divided by 1,000\.": number_of_tasks("dm_control_100k"),
    r"(\d+) games in easy mode, .* after 25 million frames; 0 and 1 are the lowest .*": number_of_tasks("procgen"),
    r"Algorithms that share a letter .* hold together with 95 % confidence\.": nominal,
    r"Scores: 0 is random play, 1 the average human\.": nominal,
    r"Evaluation returns; those of DreamerV2 are .*": nominal,
    r"DreamerV2: the implementation of its authors; .*": nominal,
    r"The same tasks after 500,000 environment steps, .*": nominal,
    r"(?:Atari|DM Control) [125]00[kM](?:, best first\.)?": nominal,
    r"Runs of .*, checked by SHA-256\.": nominal,
    r"To add runs that are public at a fixed address, .* with its SHA-256 .*": nominal,
}


PATTERNS["calculator"] = {
    r"The power of a comparison .* the 95 % interval of their difference in the IQM excludes 0, .*": nominal,
    r"Since a few runs often show too small a spread, the chart uses the upper 80 % .* spread\.": nominal,
    # Measured by tests/charts/test_calculators.py.
    r"In simulated comparisons .*, it was accurate to within five percentage points on .*, and up to 15 .*": nominal,
    r"Your pilot: .* half its width by .* and divide by 2\.": nominal,
}


def counts(rows: pd.DataFrame) -> list[str]:
    """How many rows have each verdict, in the order in which pages count them."""
    found = Counter(rows["verdict"])
    return [str(found[name]) for name in ("reproduced", "explained", "undecided")]


def contradicted(rows: pd.DataFrame) -> list[str]:
    claims = rows[rows["claim"]]
    return [str((claims["verdict"] == "contradicted").sum()), str(len(claims))]


def numbers_of_ledger(tables: Tables) -> list[str]:
    rows = tables["home_ledger"].query("not claim")
    return [str(len(rows)), *counts(rows)]


def scores_of_reversed_claim(tables: Tables) -> list[str]:
    rows = tables["home_ledger"].set_index("item")
    names = [f"game_score/{name}" for name in ("a", "b")]
    return [f"{rows.loc[name, side]:.3f}" for side in ("published", "ours") for name in names]


PATTERNS["ledger"] = {
    r"(\d+) of (\d+) printed claims is contradicted by our numbers: (\d+) of (\d+) in Mine 2020\.": lambda tables: (
        2 * contradicted(tables["home_ledger"])
    ),
    r"Of (\d+) printed numbers: (\d+) reproduced, (\d+) cause known, (\d+) undecided, .*": numbers_of_ledger,
    r"Mine 2020: These are best\. (\d+) of (\d+) claims is contradicted by our numbers\.": lambda tables: contradicted(
        tables["home_ledger"]
    ),
    r"The other verdicts: (\d+) reproduced, (\d+) cause known, (\d+) undecided, none differ\.": lambda tables: counts(
        tables["home_ledger"]
    ),
    r"The claim “a has a higher score than b” is reversed: the .* are (\S+) and (\S+), and ours (\S+) and (\S+)\.": (
        scores_of_reversed_claim
    ),
}


@pytest.mark.parametrize(
    ("page", "group"),
    [
        ("index", "home"),
        ("trust", "trust"),
        ("leaderboards", "leaderboards"),
        ("calculator", "leaderboards"),
        ("ledger", "home"),
    ],
)
def test_sentences_say_what_the_tables_of_their_page_say(page, group, tmp_path):
    recorded = {path.relative_to(RECORDS).with_suffix("").as_posix(): read_table(path) for path in KEPT}
    tables = with_comparisons(group, recorded) | ({"all_reproductions": LEDGER} if page == "ledger" else {})
    draw(tmp_path, group, tables, settings(), page)
    html = page_of(page, tmp_path)
    check_sentences(html, offered(html), PATTERNS[page])


# The numbers of single methods are compared with records by tests/scenarios/methods/test_guarantees.py.
METHODS: Patterns = {
    r"The confidence is 1.*, in the game 1.*": nominal,
    r"Standard deviations .* divide by .*N - 1, .*": nominal,
    r".* within a factor of the fastest \(Dolan and Moré 2002\)\.": nominal,
    r".*P = n \(n - 1\) m payoffs, .*": nominal,
    r".* trimmed_mean\(0\.1\) weighted by runs\b.*": nominal,
    r"Difficulty progress \(DP-25\)": nominal,
}


def test_the_methods_page_states_no_other_number(methods_tables, tmp_path):
    shutil.copytree(methods_tables, tmp_path, dirs_exist_ok=True)
    html = page_of("methods", tmp_path)
    check_sentences(html.partition('id="sec-references"')[0] + "</main>", {}, METHODS)
