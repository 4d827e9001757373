"""Tables in LaTeX and Markdown: digits in line, names with any characters, the best and what ties with it in bold."""

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from surefoot.export.citations import bibtex
from surefoot.export.latex import booktabs, escaped, from_markdown, natural_lines, natural_width, smallest_scale
from surefoot.export.tables import as_markdown, is_for_papers, presented, rows_of_the_best

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


def test_a_long_head_is_broken_where_its_cells_are_short_and_there_is_no_room():
    head, rows, numbers = ["Algorithm", "Published rank, interval"], [["Sarsa-Parl2", "[1, 2]"]], [False, True]
    latex = booktabs(head, rows, numbers, "", "tab:x", room=150.0)
    assert r"Algorithm & \shortstack[r]{Published\\rank,\\interval} \\" in latex
    assert natural_width(head, rows, numbers, 150.0) == natural_width(["Algorithm", "Published"], rows, numbers, 150.0)
    assert "shortstack" not in booktabs(head, rows, numbers, "", "tab:x", room=400.0)


def test_letters_are_made_no_smaller_than_six_points():
    for columns, size in ((2, 9.0), (8, 8.0)):
        assert size * smallest_scale(["x"] * columns) == pytest.approx(6.0)


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
    assert r"\begin{tabular}{llrr}" in lines
    assert r"\textbf{A\_1 50\%} & \textbf{IQM} & \textbf{0.500} & \textbf{[0.400, 0.612]} \\" in lines
    assert r"C\#1 & IQM & 0.100 & [$-$0.050, 0.200] \\" in lines
    assert r"B \& co & Gap $\downarrow$ & 0.300 &  \\" in lines
    assert {line.replace(r"\&", "").count("&") for line in lines if line.endswith(r"\\")} == {3}


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
    assert lines[2:] == ["| Algorithm | Value |", "| :--- | ---: |", r"| **a\|b\*c\_d** | **0.25** |"]


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


@pytest.mark.parametrize("columns", [3, 9, 14])
def test_a_table_is_made_as_narrow_as_the_place_has_room_for(columns, tmp_path):
    rows = [[f"name {row}", *["[1,234.5, 6,789.0]"] * (columns - 1)] for row in range(4)]
    head, numbers = ["Name", *["Interval"] * (columns - 1)], [False, *[True] * (columns - 1)]
    room = 5.5 * 72
    wide = natural_width(head, rows, numbers, room) > room
    latex = booktabs(head, rows, numbers, "Wide.", "tab:wide", room=room)
    assert (r"\resizebox" in latex) == wide == (columns > 3)
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex (Debian: texlive-latex-recommended) is not there")
    packages = r"\usepackage[textwidth=5.5in]{geometry}\usepackage{booktabs,graphicx}"
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


def test_lines_of_sentences_are_counted():
    rows = [["a", "word " * 40], ["b", "short"]]
    # 200 letters of 4.6 points in a column of 180 points: six lines; one of the other row, and one of the head.
    assert natural_lines(["what", "why"], rows, [False, False], 300.0) == 8


def test_a_table_that_may_be_too_wide_is_made_smaller_and_never_larger():
    latex = booktabs(["name", "value"], [["x" * 20, "1"]], [False, True], "", "tab:x", room=150.0)
    assert r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%" in latex
    assert "resizebox" not in booktabs(["name", "value"], [["x" * 20, "1"]], [False, True], "", "tab:x", room=300.0)
