"""Tables in LaTeX and Markdown: digits in line, names with any characters, the best and what ties with it in bold."""

import numpy as np
import pandas as pd
import pytest

from surefoot.manuscript.citations import bibtex
from surefoot.manuscript.latex import booktabs, escaped, from_markdown
from surefoot.manuscript.tables import as_markdown, is_for_papers, presented, rows_of_the_best

SCORES = pd.DataFrame(
    {
        "algorithm": ["a_1", "b", "c", "a_1", "b", "c"],
        "title": ["A_1 50%", "B & co", "C#1", "A_1 50%", "B & co", "C#1"],
        "metric_title": ["IQM"] * 3 + ["Gap ↓"] * 3,
        "value": [0.5, 0.48, 0.1, 0.2, 0.3, 0.9],
        "student_low": [0.4, 0.31, -0.05, 0.1, np.nan, 0.8],
        "student_high": [0.61234, 0.7, 0.2, 0.3, np.nan, 1.0],
        "runs": [10] * 6,
        "remark": ["few runs", "few runs", None, None, None, None],
    }
)
DIFFERENCES = pd.DataFrame(
    [
        ("IQM", "a_1", "b", -0.1, 0.14),
        ("IQM", "a_1", "c", 0.2, 0.6),
        ("IQM", "b", "c", 0.1, 0.7),
        ("Gap ↓", "a_1", "b", -0.2, -0.01),
        ("Gap ↓", "c", "a_1", 0.5, 0.9),
        ("Gap ↓", "b", "c", -0.8, -0.2),
    ],
    columns=["metric", "x", "y", "low", "high"],
)
LOWER = {"IQM": False, "Gap ↓": True}


def test_limits_become_an_interval_and_digits_stand_in_line():
    shown = presented(SCORES)
    assert shown.head == ["Algorithm", "Metric", "Value", "Student", "Runs"]
    assert shown.numbers == [False, False, True, True, True]
    assert shown.rows[0] == ["A_1 50%", "IQM", "0.500", "[0.400, 0.612]", "10"]
    assert shown.rows[2][3] == "[\N{MINUS SIGN}0.050, 0.200]"
    assert shown.rows[4][3] == ""  # no interval is no number
    assert shown.notes == ["Few runs."]
    large = presented(pd.DataFrame({"score": [12345.678, -0.5], "time": [123.456, 1.0]}))
    assert large.rows == [["12,346", "123.5"], ["\N{MINUS SIGN}1", "1.0"]]


def test_names_in_the_head_of_a_table_stay_as_they_are():
    table = pd.DataFrame({"environment": ["maze"], "ppo_100%": [3], "dqn": [4]})
    assert presented(table, names={"ppo_100%", "dqn"}).head == ["Environment", "ppo_100%", "dqn"]


def test_the_best_and_what_no_interval_of_a_difference_tells_apart_are_bold():
    assert rows_of_the_best(SCORES, DIFFERENCES, LOWER) == [True, True, False, True, False, False]
    only = DIFFERENCES[DIFFERENCES["metric"] == "IQM"]
    assert rows_of_the_best(SCORES, only, LOWER) == [True, True, False, False, False, False]


def test_nothing_is_bold_where_no_differences_were_asked_for():
    assert rows_of_the_best(SCORES, None, LOWER) == [False] * 6


def test_ranks_tell_what_may_be_the_first():
    ranks = pd.DataFrame({"algorithm": ["a", "b"], "score": [0.6, 0.4], "PBP": ["1 (2, 1)", "2 (4, 2)"]})
    assert rows_of_the_best(ranks, None, LOWER) == [True, False]


def test_a_table_in_the_style_of_booktabs():
    shown = presented(SCORES, rows_of_the_best(SCORES, DIFFERENCES, LOWER))
    latex = booktabs(shown.head, shown.rows, shown.numbers, "Scores.", "tab:scores", shown.bold)
    lines = latex.splitlines()
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\bottomrule"]
    assert r"\begin{tabular}{llrrr}" in lines
    assert r"\textbf{A\_1 50\%} & \textbf{IQM} & \textbf{0.500} & \textbf{[0.400, 0.612]} & \textbf{10} \\" in lines
    assert r"C\#1 & IQM & 0.100 & [$-$0.050, 0.200] & 10 \\" in lines
    assert r"B \& co & Gap $\downarrow$ & 0.300 &  & 10 \\" in lines
    assert {line.replace(r"\&", "").count("&") for line in lines if line.endswith(r"\\")} == {4}


def test_a_column_of_sentences_breaks_its_lines():
    latex = booktabs(["what", "value", "runs"], [["rule", "word " * 20, "3"]], [False, False, True], "", "tab:x")
    assert r"\begin{tabular}{lp{0.60\linewidth}r}" in latex


def test_letters_of_a_title_that_latex_lacks_become_commands():
    entry = bibtex(["omidshafiei2019"])
    assert r"$\alpha$-Rank" in entry and "\N{GREEK SMALL LETTER ALPHA}" not in entry


def test_a_row_that_begins_with_a_bracket_is_no_length():
    latex = booktabs(["low"], [["[0, 1]"]], [True], "", "tab:x")
    assert r"{}[0, 1] \\" in latex.splitlines()


def test_markdown_has_a_cell_for_each_column_whatever_the_names_are():
    shown = presented(pd.DataFrame({"algorithm": ["a|b*c_d"], "value": [0.25]}), [True])
    lines = as_markdown(shown, "A table.").splitlines()
    assert lines[2:] == ["| Algorithm | Value |", "| :--- | ---: |", r"| **a\|b\*c\_d** | **0.250** |"]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50% of a_b & {c} #1 $2", r"50\% of a\_b \& \{c\} \#1 \$2"),
        (r"a\b^c~d", r"a\textbackslash{}b\textasciicircum{}c\textasciitilde{}d"),
        ("Sarsa(λ), Γ, ω", r"Sarsa($\lambda$), $\Gamma$, $\omega$"),
        ("é\N{EN DASH}ß", "é--ß"),
        ("e\u0301", "é"),
        ("算", r"\texttt{U+7B97}"),
    ],
)
def test_text_letter_for_letter(text, latex):
    assert escaped(text) == latex


def test_formulas_of_docstrings_stay_formulas():
    assert from_markdown("`a_b` of $x_{i}$: 5 % of [it](page.html)") == r"\texttt{a\_b} of $x_{i}$: 5 \% of it"


@pytest.mark.parametrize(("columns", "wanted"), [(["item", "text", "value"], False), (["algorithm", "value"], True)])
def test_sentences_of_pages_are_no_tables_of_a_paper(columns, wanted):
    assert is_for_papers(pd.DataFrame([["x"] * len(columns)], columns=columns)) is wanted
    assert not is_for_papers(pd.DataFrame(columns=columns))
