"""Tables in LaTeX and Markdown: digits in line, names with any characters, the best and what ties with it in bold."""

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from surefoot.export.citations import bibtex
from surefoot.export.latex import escaped, escaped_markdown, from_markdown
from surefoot.export.tables import (
    Presented,
    as_latex,
    as_markdown,
    is_for_papers,
    presented,
    rows_of_the_best,
    table_files,
)
from surefoot.export.venues import VENUES

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
    assert shown.head == ["Algorithm", "Metric", "Value", "Student"]
    assert shown.numbers == [False, False, True, True]
    assert shown.rows[0] == ["A_1 50%", "IQM", "0.500", "[0.400, 0.612]"]
    assert shown.rows[2][3] == "[\N{MINUS SIGN}0.050, 0.200]"
    assert shown.rows[4][3] == ""  # no interval is no number
    assert shown.notes == ["In every row: runs 10.", "Few runs."]
    large = presented(pd.DataFrame({"score": [12345.678, -0.5], "time": [123.456, 1.0]}))
    assert large.rows == [["12,346", "123.5"], ["\N{MINUS SIGN}0.5", "1.0"]]


def test_names_of_the_configuration_are_written_in_words():
    table = pd.DataFrame({"variant": ["as_published", "corrected"], "size": [10, 30]})
    assert [row[0] for row in presented(table).rows] == ["as published", "corrected"]
    assert table["variant"].tolist() == ["as_published", "corrected"]


def test_a_limit_near_0_does_not_take_values_out_of_line():
    table = pd.DataFrame({"value": [0.467, 0.0902], "low": [0.0693, 0.00048], "high": [0.7641, 0.88837]})
    assert presented(table).rows == [["0.467", "[0.069, 0.764]"], ["0.090", "[0.000, 0.888]"]]


def shown_as(head, rows, numbers):
    return Presented(head, rows, numbers, [False] * len(rows), [])


def test_a_head_is_no_wider_than_its_cells_and_its_longest_word():
    shown = shown_as(["Algorithm", "Published rank, interval"], [["Sarsa-Parl2", "[1, 2]"]], [False, True])
    assert "Algorithm\n& \\shortstack[r]{Published\\\\rank,\\\\interval}\n\\\\" in as_latex(shown, "", "x")


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
    lines = as_latex(shown, "Scores of 50%.", "scores").splitlines()
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\bottomrule"]
    assert r"\caption{Scores of 50\%. In every row: runs 10. Few runs.}" in lines and r"\label{tab:scores}" in lines
    assert r"\begin{tabular}{llrr}" in lines
    assert r"\textbf{A\_1 50\%} & \textbf{IQM} & \textbf{0.500} & \textbf{{[}0.400, 0.612{]}} \\" in lines
    assert r"C\#1 & IQM & 0.100 & {[}\ensuremath{-}0.050, 0.200{]} \\" in lines
    assert r"B \& co & Gap \ensuremath{\downarrow} & 0.300 &  \\" in lines
    assert {line.replace(r"\&", "").count("&") for line in lines if line.endswith(r" \\")} == {3}


def test_a_column_of_sentences_breaks_its_lines():
    shown = shown_as(["what", "value", "runs"], [["rule", "word " * 20, "3"]], [False, False, True])
    assert r"\begin{tabular}{lp{0.60\linewidth}r}" in as_latex(shown, "", "x")


def test_letters_of_a_title_that_latex_lacks_become_commands():
    entry = bibtex(["omidshafiei2019"])
    assert r"\ensuremath{\alpha}-Rank" in entry and "\N{GREEK SMALL LETTER ALPHA}" not in entry


def test_a_row_that_begins_with_a_bracket_is_no_length():
    assert r"{[}0, 1{]} \\" in as_latex(shown_as(["low"], [["[0, 1]"]], [True]), "", "x").splitlines()


def test_markdown_has_a_cell_for_each_column_whatever_the_names_are():
    shown = presented(pd.DataFrame({"algorithm": ["a|b*c_d"], "value": [0.25]}), [True])
    lines = as_markdown(shown, "A table.").splitlines()
    assert lines[2:] == ["| Algorithm | Value |", "| :--- | ---: |", r"| **a\|b\*c\_d** | **0.25** |"]


NAMES = {
    "50% of a_b & {c} #1 $2": r"50\% of a\_b \& \{c\} \#1 \$2",
    r"a\b^c~d": r"a\textbackslash b\^{}c\textasciitilde d",
    "Sarsa(λ), Γ, ω": r"Sarsa(\ensuremath{\lambda}), \ensuremath{\Gamma}, \ensuremath{\omega}",
    "é\N{EN DASH}ß": "é--ß",
    "e\u0301": "é",
    "算": r"\texttt{U+7B97}",
    "": "",
}


def test_text_letter_for_letter():
    assert escaped([*NAMES, *NAMES]) == NAMES


def test_names_pass_through_markdown_letter_for_letter():
    for name, latex in NAMES.items():
        written = from_markdown(f"The {escaped_markdown(name)}.").strip()
        assert written == f"The {latex}."


def test_lists_need_no_command_of_pandocs_own_template():
    assert from_markdown("* One.\n* Two.\n").split() == [
        r"\begin{itemize}",
        r"\item",
        "One.",
        r"\item",
        "Two.",
        r"\end{itemize}",
    ]


def test_formulas_of_docstrings_stay_formulas():
    latex = from_markdown("`a_b` of $x_{i}$ [@welch1947; @efron1993]: 5 %.")
    assert latex.strip() == r"\texttt{a\_b} of \(x_{i}\) \citep{welch1947, efron1993}: 5 \%."


@pytest.mark.parametrize(("columns", "wanted"), [(["item", "text", "value"], False), (["algorithm", "value"], True)])
def test_sentences_of_pages_are_no_tables_of_a_paper(columns, wanted):
    assert is_for_papers(pd.DataFrame([["x"] * len(columns)], columns=columns)) is wanted
    assert not is_for_papers(pd.DataFrame(columns=columns))


def test_published_numbers_beside_ours_have_what_a_paper_shows():
    table = pd.DataFrame(
        {
            "item": ["mean/a/b", "claim/best"],
            "label": ["Mean of b, a", "b is best"],
            "claim": [False, True],
            "published": [0.18936086395020874, 1.0],
            "ours": [0.19, 0.0],
            "tolerance": [1e-6, 0.0],
            "verdict": ["reproduced", "differs"],
        }
    )
    shown = presented(table)
    assert shown.head == ["Published number or claim", "Verdict", "Published", "Ours"]
    assert shown.rows == [["Mean of b, a", "reproduced", "0.1894", "0.19"], ["b is best", "differs", "yes", "no"]]


def test_numbers_that_are_the_same_in_every_row_are_said_once():
    table = pd.DataFrame({"title": ["a", "b", "c"], "score": [1.5, 2.0, 2.5], "runs": [1000] * 3, "ppo": [2] * 3})
    shown = presented(table, names={"ppo"})
    assert shown.head == ["Algorithm", "Score", "ppo"] and shown.notes == ["In every row: runs 1,000."]
    assert presented(table[["runs"]]).head == ["Runs"]
    one = presented(table.assign(algorithm=list("abc"), method="pbp_t", environment="maze", environment_title="Maze"))
    assert one.notes == ["In every row: runs 1,000; ppo 2; method PBP-t; environment Maze."]


def test_of_many_published_numbers_those_that_are_not_reproduced_are_shown():
    rows = [(f"mean/{place}", f"Mean {place}", False, 1.0, 1.0, "reproduced") for place in range(30)]
    table = pd.DataFrame(rows, columns=["item", "label", "claim", "published", "ours", "verdict"])
    table.loc[7, ["ours", "verdict"]] = (3.0, "differs")
    shown = presented(table, [False] * 30)
    assert shown.rows == [["Mean 7", "differs", "1", "3"]] and shown.bold == [False]
    assert shown.notes == ["29 more of the 30 are reproduced."]


@pytest.mark.parametrize("columns", [3, 7, 14])
def test_a_table_is_made_as_narrow_as_the_place_has_room_for(columns, tmp_path):
    rows = [[f"name {row}", *["[1,234.5, 6,789.0]"] * (columns - 1)] for row in range(4)]
    shown = shown_as(["Name", *["Interval"] * (columns - 1)], rows, [False, *[True] * (columns - 1)])
    files, reason = table_files("wide", "Wide", shown, VENUES["neurips"])
    assert ("tables/wide.tex" in files) == (reason == "") == (columns < 14)
    assert columns < 14 or "letters of 6 points leave room for 7.3. Hint: tables/wide.csv" in reason
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex (Debian: texlive-latex-recommended) is not there")
    packages = r"\usepackage[textwidth=5.5in]{geometry}\usepackage{booktabs,graphicx}"
    latex = as_latex(shown, "Wide.", "wide")
    (tmp_path / "wide.tex").write_text(
        f"\\documentclass{{article}}{packages}\\begin{{document}}{latex}\\end{{document}}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "wide"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0 and b"Overfull" not in done.stdout


def test_a_caption_of_a_record_says_neither_its_keys_nor_its_seed_as_a_number():
    rows = [("pbp", "a", 0.5, 0.4, 0.6, 1, 2, 1, 201, "maze pole", 2020, 1234, "e3ef")] * 3
    names = "method algorithm value low high rank rank_low rank_high runs environments seed runs_in_all configuration"
    table = pd.DataFrame(rows, columns=names.split()).assign(algorithm=["a", "b", "c"], standard_error=np.nan)
    shown = presented(table)
    assert shown.head == ["Algorithm", "Value", "Interval", "Rank", "Rank, interval"]
    assert shown.rows[0][4] == "[1, 2]"  # the better end first
    assert shown.notes == ["In every row: method PBP; fewest runs 201; runs in all 1,234."]


def test_methods_have_their_titles_and_what_is_of_all_is_not_said():
    table = pd.DataFrame(
        {"what": ["x", "y", "z"], "bca_stratified_low": [0.1, 0.2, 0.3], "bca_stratified_high": [1, 2, 3]}
    )
    assert presented(table).head == ["What", "BCa, stratified"]
    assert presented(table.assign(algorithms="all")).notes == []


def test_a_table_that_fits_on_no_page_is_told_why():
    many = shown_as(["n"], [["1"]] * 56, [True])
    assert "it has 56 rows, and 55 fit on a page" in table_files("many", "Many", many, VENUES["jmlr"])[1]
    # 1,000 letters of 4.6 points in 0.6 of 234 points: 33 lines each.
    long = shown_as(["what", "why"], [["a", "word " * 200]] * 2, [False, False])
    assert "it has about 66 lines" in table_files("long", "Long", long, VENUES["icml_column"])[1]
    assert table_files("long", "Long", long, VENUES["jmlr"])[1] == ""
