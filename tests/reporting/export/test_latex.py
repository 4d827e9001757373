"""Texts in LaTeX and Markdown: names with any characters, and formulas of docstrings."""

import re

from surefoot.reporting.descriptions import keys_of, methods_job, read_bibliography, read_facts
from surefoot.reporting.export.latex import bibtex, cited_keys, escaped, from_markdown
from surefoot.reporting.page_source import escape_markup


def test_letters_of_a_title_that_latex_lacks_become_commands():
    entry = bibtex(["omidshafiei2019"])
    assert r"\ensuremath{\alpha}-Rank" in entry and "\N{GREEK SMALL LETTER ALPHA}" not in entry


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
        written = from_markdown(f"The {escape_markup(name)}.").strip()
        assert written == f"The {latex}."


def test_formulas_of_docstrings_stay_formulas():
    latex = from_markdown("`a_b` of $x_{i}$ [@welch1947; @efron1993]: 5 %.")
    assert latex.strip() == r"\texttt{a\_b} of \(x_{i}\) \citep{welch1947, efron1993}: 5 \%."


def test_whatever_a_study_may_ask_is_cited_from_the_bibliography():
    facts = read_facts(methods_job().inputs)
    keys = keys_of(facts, facts)
    assert len(keys) > 10 and set(keys) <= set(read_bibliography())
    assert cited_keys(bibtex([*keys, "surefoot"])) == []
    assert len(re.findall(r"^@", bibtex([*keys, "surefoot"]), re.MULTILINE)) == len(keys) + 1
