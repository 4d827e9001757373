"""Everything that a paper takes from a study: figures, the methods section, and a document that LaTeX compiles."""

import contextlib
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from support.jobs import run_jobs
from support.pdf_files import fonts, page_size

import surefoot
from surefoot.cli.commands import main

NAMES = ["ppo_100%", "sac & co", "dqn#1"]
STUDY = """
shipped_studies: false
studies:
  mine:
    title: An experiment with 100 % of a_name & more
    sources: {runs: {kind: score_table, file: scores.csv}}
    scales: {runs: {kind: min_max}}
    titles: {dqn#1: "DQN(λ) #1"}
    confidence_level: 0.9
    seed: 11
    questions:
      aggregate_metrics: {metrics: [iqm, optimality_gap], methods: [student], n_resamples: 321}
      multiple_comparisons: {n_resamples: 321}
      pairwise_differences: {n_resamples: 321}
      task_means: {}
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A folder in which a study of three algorithms in two environments was made; the third has a run more."""
    folder = tmp_path_factory.mktemp("study")
    rng = np.random.default_rng(3)
    cells = [(name, env, run) for name in NAMES for env in ("maze", "pole") for run in range(6 + (name == NAMES[2]))]
    table = pd.DataFrame(cells, columns=["algorithm", "environment", "run"])
    table["score"] = rng.normal(0, 1, len(table)) + 5 * (table["algorithm"] != NAMES[0])
    table.to_csv(folder / "scores.csv", index=False)
    (folder / "mine.yaml").write_text(STUDY)
    run_jobs(folder / "mine.yaml", lambda job: job.study == "mine" and job.stage != "render")
    with contextlib.chdir(folder):
        assert main(["export", "mine", "--venue", "icml_column", "-o", "paper"]) == 0
    return folder


def test_each_figure_has_the_venues_width_and_its_fonts(study):
    pictures = sorted((study / "paper" / "figures").glob("*.pdf"))
    assert {path.stem for path in pictures} >= {"aggregate_metrics", "pairwise_differences"}
    drawn = {path.stem for path in (study / "results" / "draw" / "mine").glob("*.json")}
    assert {path.stem for path in pictures} == drawn
    for path in pictures:
        assert page_size(path.read_bytes())[0] == pytest.approx(3.25 * 72, rel=0.01)
        assert all(fonts(path.read_bytes()).values()) and fonts(path.read_bytes())
        assert path.with_suffix(".svg").read_text().startswith("<svg")


def test_exported_methods_cite_the_bibliography(study):
    files = ("methods.tex", "methods_appendix.tex", "references.bib")
    section, appendix, references = ((study / "paper" / name).read_text() for name in files)
    methods = section + appendix
    assert r"3 algorithms (ppo\_100\%, sac \& co and DQN(\ensuremath{\lambda}) \#1) in 2 environments (maze" in methods
    assert "with 6 to 7 runs of each algorithm in each environment (38 runs in all)" in methods
    assert r"90~\% Student intervals (321 bootstrap resamples" in methods
    assert "The seed of all random numbers of the analysis is 11." in methods
    assert f"Surefoot {surefoot.__version__}" in methods and "simultaneous" in methods
    assert methods.index(r"\paragraph{Aggregate metrics.}") < methods.index(r"\paragraph{Pairwise differences.}")
    keys = re.findall(r"^@\w+\{(\w+),$", references, re.MULTILINE)
    cited = {key for found in re.findall(r"\\citep\{([^}]*)\}", methods) for key in found.split(", ")}
    assert len(keys) == len(set(keys)) and set(keys) == cited
    assert cited >= {"agarwal2021", "welch1947", "surefoot"}


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="pdflatex (Debian: texlive-latex-recommended) is not there"
)
def test_latex_compiles_a_document_with_all_of_it(study, tmp_path):
    folder = tmp_path / "paper"
    shutil.copytree(study / "paper", folder)
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"]
    for command in (latex, ["bibtex", "paper"], latex, latex):
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    log = (folder / "paper.log").read_text(errors="replace")
    assert "undefined" not in log and "Missing character" not in log
    assert "too large" not in log and "Overfull" not in log
    included = {path.stem for path in (folder / "figures").glob("*.pdf")}
    assert all(f"figures/{name}.pdf" in log for name in included)
    tables = {path.name for path in (folder / "tables").glob("*.tex")}
    assert tables and all(name in log for name in tables)
    assert "I didn't find" not in (folder / "paper.blg").read_text()


def test_an_unknown_font_is_refused_before_anything_is_written(study, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(study)
    output = tmp_path / "paper"
    assert main(["export", "mine", "--venue", "neurips", "--font", "Nonesuch", "-o", str(output)]) == 2
    assert 'the font "Nonesuch" is not installed' in capsys.readouterr().err
    assert not output.exists()
