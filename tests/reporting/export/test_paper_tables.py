"""Tables in LaTeX and Markdown: digits in line, names with any characters, the best and what ties with it in bold."""

import numpy as np
import pandas as pd

import surefoot
from surefoot.reporting.export.paper_tables import (
    Presented,
    as_latex,
    environments_by_algorithms,
    is_for_papers,
    presented,
    rows_of_the_best,
    why_not_in_latex,
)

SCORES = pd.DataFrame(
    {
        "algorithm": ["a_1", "b", "c", "a_1", "b", "c"],
        "title": ["A_1 50%", "B & co", "C#1", "A_1 50%", "B & co", "C#1"],
        "metric_title": ["IQM"] * 3 + ["Gap ↓"] * 3,
        "estimate": [0.5, 0.48, 0.1, 0.2, 0.3, 0.9],
        "student_low": [0.4, 0.31, -0.05, 0.1, np.nan, 0.8],
        "student_high": [0.61234, 0.7, 0.2, 0.3, np.nan, 1.0],
        "runs": [10] * 6,
        "remark": ["few runs", "few runs", None, None, None, None],
    }
)
COMPARED = pd.DataFrame(
    [("IQM", "a_1", True), ("IQM", "b", True), ("IQM", "c", False), ("Gap ↓", "a_1", True), ("Gap ↓", "c", False)],
    columns=["metric", "algorithm", "tied_with_best"],
)


def test_limits_become_an_interval_and_digits_stand_in_line():
    shown = presented(SCORES)
    assert shown.head == ["Algorithm", "Metric", "Estimate", "Student"]
    assert shown.numbers == [False, False, True, True]
    assert shown.rows[0] == ["A_1 50%", "IQM", "0.500", "[0.400, 0.612]"]
    assert shown.rows[2][3] == "[\N{MINUS SIGN}0.050, 0.200]"
    assert shown.rows[4][3] == ""  # no interval is no number
    assert shown.notes == ["In every row: runs 10.", "Few runs."]
    large = presented(pd.DataFrame({"score": [12345.678, -0.5], "time": [123.456, 1.0]}))
    assert large.rows == [["12,346", "123.5"], ["\N{MINUS SIGN}0.5", "1.0"]]


def test_those_that_are_tied_with_the_best_are_bold():
    assert rows_of_the_best(SCORES, COMPARED) == [True, True, False, True, False, False]
    only = COMPARED[COMPARED["metric"] == "IQM"]
    assert rows_of_the_best(SCORES, only) == [True, True, False, False, False, False]
    assert rows_of_the_best(SCORES, None) == [False] * 6


def test_the_standings_of_a_comparison_fit_on_a_page():
    """Their columns of the test for shared runs, and the like, are in the CSV file alone."""
    rng = np.random.default_rng(1)
    found = surefoot.multiple_comparisons({name: rng.normal(size=(5, 2)) + 3.0 * (name == "a") for name in "abc"})
    table = found.table().assign(title=lambda rows: rows["algorithm"].str.upper())
    shown = presented(table, rows_of_the_best(table, None))
    assert not why_not_in_latex(shown) and shown.bold == [True, False, False]
    assert shown.head[:4] == ["Algorithm", "IQM", "Letters", "Rank"] and shown.rows[0][0] == "A"


def test_means_become_a_table_of_environments_by_algorithms():
    rows = [("a", 1.0), ("a", 2.0), ("a", 3.0), ("b", 4.0), ("b", 5.0), ("b", 9.0)]
    runs = pd.DataFrame(rows, columns=["algorithm", "score"]).assign(environment="maze", run=[0, 1, 2, 0, 1, 2])
    found = surefoot.task_means(runs).table()
    both = pd.concat([found, found.assign(environment="pole")])[["environment", "algorithm", "mean", "low", "high"]]
    shown = environments_by_algorithms(presented(both))
    assert shown.head == ["Environment", "a", "b"] and [row[0] for row in shown.rows] == ["maze", "pole"]
    assert shown.rows[0][1] == shown.rows[1][1] == "2.00 [\N{MINUS SIGN}0.48, 4.48]"  # scipy.stats.t.interval
    assert shown.notes[0] == "Cells: mean and interval."
    of_one = presented(both[both["algorithm"] == "a"])
    assert environments_by_algorithms(of_one) == of_one


def test_remarks_that_differ_in_their_p_value_are_joined():
    table = SCORES.assign(remark=["p = 0.25, alike", "p = 0.4, alike", "p = 0.03, alike", "other", None, None])
    assert presented(table).notes[1:] == ["P = 0.03 to 0.4, alike.", "Other."]


def test_a_table_of_equal_counts_keeps_its_columns():
    counts = pd.DataFrame({"environment": ["x", "y", "z"], "dqn": [5, 5, 5], "ppo": [5, 5, 5]})
    shown = presented(counts, names={"dqn", "ppo"})
    assert shown.head == ["Environment", "dqn", "ppo"] and shown.rows[0] == ["x", "5", "5"]


def test_a_table_in_the_style_of_booktabs():
    shown = presented(SCORES, rows_of_the_best(SCORES, COMPARED))
    lines = as_latex(shown, "Scores of 50%.", "scores").splitlines()
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\bottomrule"]
    assert r"\caption{Scores of 50\%. In every row: runs 10. Few runs.}" in lines and r"\label{tab:scores}" in lines
    assert r"\begin{tabular}{llrr}" in lines
    assert r"\textbf{A\_1 50\%} & \textbf{IQM} & \textbf{0.500} & \textbf{{[}0.400, 0.612{]}} \\" in lines
    assert r"C\#1 & IQM & 0.100 & {[}\ensuremath{-}0.050, 0.200{]} \\" in lines
    assert r"B \& co & Gap \ensuremath{\downarrow} & 0.300 &  \\" in lines
    assert {line.replace(r"\&", "").count("&") for line in lines if line.endswith(r" \\")} == {3}


def test_sentences_of_pages_are_no_tables_of_a_paper():
    for columns in (["item", "text", "value"], ["algorithm", "value"]):
        assert is_for_papers(pd.DataFrame([columns], columns=columns)) == ("algorithm" in columns)
        assert not is_for_papers(pd.DataFrame(columns=columns))


def test_numbers_that_are_the_same_in_every_row_are_said_once():
    table = pd.DataFrame({"title": ["a", "b", "c"], "score": [1.5, 2.0, 2.5], "runs": [1000] * 3, "p_o": [2] * 3})
    shown = presented(table, names={"p_o"})
    assert shown.head == ["Algorithm", "Score", "p_o"] and shown.notes == ["In every row: runs 1,000."]
    assert presented(table[["runs"]]).head == ["Runs"]
    one = presented(table.assign(algorithm=list("abc"), method="pbp_t", environment="maze", environment_title="Maze"))
    assert one.notes == ["In every row: runs 1,000; p o 2; method PBP-t; environment Maze."]


def test_methods_have_titles_and_ranks_begin_at_the_better_end():
    table = pd.DataFrame({"what": ["x", "y"], "bca_stratified_low": [0.1, 0.2], "bca_stratified_high": [1, 2]})
    assert presented(table).head == ["What", "BCa, stratified"]
    ranks = presented(pd.DataFrame({"algorithm": ["a"], "rank": [1], "rank_low": [2], "rank_high": [1]}))
    assert ranks.head == ["Algorithm", "Rank", "Rank, interval"] and ranks.rows == [["a", "1", "[1, 2]"]]


def test_a_table_that_fits_on_no_page_is_told_why():
    for rows, columns, reason in ((56, 1, "56 rows"), (1, 12, "12 columns"), (55, 10, "")):
        shown = Presented(["n"] * columns, [["1"] * columns] * rows, [True] * columns, [False] * rows, [])
        assert reason in why_not_in_latex(shown) and bool(why_not_in_latex(shown)) == bool(reason)
