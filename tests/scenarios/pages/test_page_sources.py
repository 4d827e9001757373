"""The pages on stand-in tables, through the embedded renderer: every number they quote is there."""

import re
from pathlib import Path

import pandas as pd
import pytest
from support.drawings import is_drawable, made, with_comparisons
from support.page_sentences import LEDGER, REPORTS, page_of, write_drawing
from support.stand_in_tables import coverage_tables, published_names, settings, stand_in_tables, tables_of_jordan2020

from surefoot.charts.drawing_catalogue import CATALOGUE

PAIR = ["sarsa", "q_parl2"]


def draw_all(results: Path, group: str, study: str, tables: dict, leave_out: tuple[str, ...] = ()) -> None:
    """Files as the stage `draw` leaves them."""
    tables = {key: table for key, table in tables.items() if key not in leave_out}
    tables = with_comparisons(group, tables)
    for name, drawing in CATALOGUE[group].items():
        if is_drawable(drawing, tables) or drawing.note:
            write_drawing(results / "draw" / study, name, *made(drawing, tables, settings()))


def rendered(page: str, results: Path, study: str | None) -> str:
    text = re.sub(r"<(script|style)\b.*?</\1>", "", page_of(page, results, study or ""), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def drawn_numbers(results: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(results / "draw" / "paper" / f"{name}.csv")


def paper(algorithms, environments, everything) -> dict:
    return tables_of_jordan2020() if everything else stand_in_tables(algorithms, environments, 250)


@pytest.mark.parametrize(
    ("algorithms", "environments", "everything"),
    [(*published_names(), True), (PAIR, ["chain_10_deterministic"], False)],
    ids=["whole", "one_environment"],
)
def test_the_page_of_the_paper_quotes_its_tables(algorithms, environments, everything, tmp_path):
    draw_all(tmp_path, "jordan2020", "paper", paper(algorithms, environments, everything))
    text = rendered("jordan2020", tmp_path, "paper")
    judged = len(drawn_numbers(tmp_path, "reproduction"))
    assert f"Of 1,358 printed numbers, {judged} are judged" in text
    shown = drawn_numbers(tmp_path, "figure_5")
    assert f"at least {shown['runs'].min():,.0f} trials" in text
    assert ("not tested" in text) == (len(environments) == 1)
    assert (tmp_path / "jordan2020.html").stat().st_size < 4e6


@pytest.mark.parametrize(
    "leave_out",
    [
        (),
        tuple(f"estimate/{name}" for name in ("pbp", "pbp_t", "bootstrap", "dkw")),
        tuple(f"estimate/{name}" for name in ("pbp", "pbp_t", "bootstrap", "anderson", "dkw")),
    ],
    ids=["all", "anderson", "none"],
)
def test_the_page_of_any_study_needs_no_interval(leave_out, tmp_path):
    sizes = {("dqn", "pong"): 5, ("dqn", "qbert"): 3, ("ppo", "pong"): 10, ("ppo", "qbert"): 4}
    tables = stand_in_tables(["dqn", "ppo"], ["pong", "qbert"], sizes)
    if not leave_out:
        tables["coverage"] = coverage_tables([7])["cover/corrected"].assign(study="few_runs", variant="corrected")
    draw_all(tmp_path, "study", "mine", tables, leave_out)
    text = rendered("study", tmp_path, "mine")
    assert ("few_runs" in text and "at least one algorithm misses the truth" in text) == (not leave_out)
    assert "Which is best?" in text
    assert "3 to 10 runs per pair, 22 runs in all" in text
    assert ("Without intervals" in text) == bool(leave_out)
    for part in ("Figure 4:", "PBP", "ranks by each method", "distribution-free"):
        assert (part in text) == (not leave_out), part


HOME = {
    "trust/drawn_kinds": pd.read_csv(REPORTS / "records" / "trust" / "drawn_kinds.csv"),
    "leaderboards/comparisons": pd.read_csv(REPORTS / "records" / "leaderboards" / "comparisons.csv"),
}


def test_the_ledger_has_every_row_contradicted_claims_first(tmp_path):
    draw_all(tmp_path, "home", "home", HOME | {"all_reproductions": LEDGER})
    text = rendered("ledger", tmp_path, None)
    assert "1 of 2 printed claims is contradicted by our numbers: 1 of 2 in Mine 2020." in text
    assert "Of 4 printed numbers: 2 reproduced, 1 cause known, 1 undecided, none differ." in text
    assert "Mine 2020 : These are best. 1 of 2 claims" in text
    assert "3 reproduced, 1 cause known, 1 undecided, none differ" in text
    order = "The claim “a has a higher score than b” is reversed"
    assert f"{order}: the printed scores are 0.600 and 0.500, and ours 0.420 and 0.430" in text
    page = (tmp_path / "ledger.html").read_text()
    rows = re.findall(r'<tr id="(.*?)">(.*?)</tr>', page)
    assert [address for address, _ in rows] == [
        *("mine-claim-higher-score-a-b", "mine-mean-a", "mine-mean-d", "mine-claim-c", "mine-game-score-a"),
        "mine-game-score-b",
    ]
    cells = {address: re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for address, row in rows}
    assert cells["mine-mean-a"] == [
        *('<a href="#mine-mean-a">Mean of a</a>', "cause known", "1.5", "1.25", "0.125"),
        *('<a href="mine.html">mine</a>', "a cause (explains differences up to 0.5)"),
    ]
    undecided = [
        "undecided, since the paper&#x27;s numbers are too uncertain",
        "a difference of up to 0.875 could have been missed, and one of 0.5 would matter",
    ]
    assert cells["mine-mean-d"][1::5] == undecided
    assert cells["mine-claim-higher-score-a-b"][2:4] == ["yes", "no"]


def test_the_home_page_counts_the_claims_of_the_ledger(tmp_path):
    draw_all(tmp_path, "home", "home", HOME | {"all_reproductions": LEDGER})
    text = rendered("index", tmp_path, None)
    assert "1 of 2 printed claims is contradicted by our numbers" in text
    finding = "PlayVirtual and SPR are tied for the best IQM"
    assert finding in text and text.index(finding) < text.index("Figure 1")


def test_a_site_without_papers_has_an_empty_ledger(tmp_path):
    draw_all(tmp_path, "home", "home", HOME)
    assert "No study here has published numbers." in rendered("ledger", tmp_path, None)
    assert "contradicted by our numbers" not in rendered("index", tmp_path, None)
