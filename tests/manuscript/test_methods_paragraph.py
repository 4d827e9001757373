"""The paragraph of methods says of each question what it was asked with, and of which runs the figures are."""

import contextlib
from pathlib import Path

import pandas as pd
import pytest

from surefoot.build.job import Job
from surefoot.configuration.models import Study
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.manuscript.checklist import checklist
from surefoot.manuscript.citations import known_facts
from surefoot.manuscript.methods_paragraph import RunsBehind, guarantees, methods_paragraph
from surefoot.manuscript.question_settings import settings_in_words
from surefoot.manuscript.records import records_of
from surefoot.manuscript.runs import CountedRuns, recorded_runs
from surefoot.pipeline.plan import plan
from surefoot.questions.registry import questions
from surefoot.questions.settings import Question

PROJECT = Path(__file__).parents[2]
SMALL = CountedRuns(["ac", "q"], ["acrobot"], 2, 200, 15310)


@pytest.fixture(scope="module")
def facts():
    return known_facts()


@pytest.fixture(scope="module")
def studies():
    files = [PROJECT / "config" / "config.yaml", *sorted((PROJECT / "config" / "studies").glob("*.yaml"))]
    return validate_configuration(read_configuration(files), files, PROJECT / "reports")


@pytest.fixture(scope="module")
def jobs(studies):
    with contextlib.chdir(PROJECT):
        return plan(studies)


def words(studies, facts, kind, **settings):
    question = asked_as(kind, **settings)
    return "; ".join(settings_in_words(studies.studies["example"], question, facts, {"q": "Q(λ)", "ac": "AC"}))


def asked_as(kind, **settings) -> Question:
    return questions()[kind].model_validate({"kind": kind, **settings})


def test_a_band_promises_what_was_asked_for(facts):
    whole, single = (asked_as("sample_efficiency", band=band) for band in ("simultaneous", "pointwise"))
    assert "whole curve" in guarantees(whole, facts)[0] and "one step at a time" not in guarantees(whole, facts)[0]
    assert "one step at a time" in guarantees(single, facts)[0] and "whole" not in guarantees(single, facts)[0]


@pytest.mark.parametrize(
    ("independent", "said"), [(True, "fails by far"), (False, "chance"), ("auto", "earlier rounds")]
)
def test_a_comparison_promises_what_its_variant_does(facts, independent, said):
    (promise,) = guarantees(
        asked_as("sequential_comparison", compare=["q", "ac"], tasks_independent=independent), facts
    )
    assert said in promise and ("fails by far" in promise) == (independent is True)


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("sequential_comparison", {"compare": ["q", "ac"]}, r"Q($\lambda$) and AC"),
        ("sequential_comparison", {"compare": ["q", "ac"], "tasks_independent": True}, "tasks independent: yes"),
        ("subsamples", {"metrics": ["iqm"], "sizes": [3, 50], "datasets": 5000}, r"5{,}000 subsamples of each size"),
        ("subsamples", {"metrics": ["iqm"], "sizes": [3, 50], "datasets": 5000}, "drawn: 3 and 50"),
        ("run_plans", {"datasets": 500}, "500 simulated studies of each number of runs"),
        ("false_alarm_rates", {"compare": ["q", "ac"], "datasets": 200}, "200 experiments without a difference"),
        ("improvement", {}, "percentile intervals of the stratified bootstrap"),
        ("profiles", {"thresholds": {"from": 0, "to": 2, "count": 201}}, "a paler simultaneous one"),
        ("profiles", {"thresholds": {"from": 0, "to": 2, "count": 201}}, "thresholds: 0 to 2 (201 points)"),
        ("sample_efficiency", {"band": "simultaneous"}, "band: simultaneous"),
    ],
)
def test_each_setting_is_said(studies, facts, kind, settings, said):
    assert said in words(studies, facts, kind, **settings)


def test_whatever_can_be_asked_says_all_of_its_numbers(studies, facts):
    """A question whose settings nothing here knows is told of by its own model."""

    class Settings(Question):
        """A question of tomorrow."""

        kind: str = "tomorrow"
        stage = "cover"
        petals: int = 7341
        colours: tuple[str, ...] = ("red", "blue")

    found = "; ".join(settings_in_words(studies.studies["example"], Settings(), facts, {}))
    assert r"petals: 7{,}341" in found and "colours: red and blue" in found


def test_methods_that_were_repeated_as_published_promise_no_theorem(studies, facts):
    text = methods_paragraph(studies.studies["jordan2020"], RunsBehind({"runs": SMALL}, {}), facts)
    game = next(part for part in text.split("\n\n") if part.startswith(r"\emph{Game intervals:}"))
    promise = game.partition(r"The interval \emph{PBP}, as published")[2].partition("The interval")[0]
    assert "without a guarantee" in promise and "theorem" not in promise


def test_all_questions_of_a_kind_are_told_of(studies, facts):
    study = studies.studies["agarwal2021"]
    text = methods_paragraph(study, RunsBehind({}, {}), facts)
    names = [name for name, question in study.questions.items() if question.kind == "profiles"]
    assert len(names) > 3
    for name in names:
        count = study.questions[name].thresholds.count
        told = text.partition(f"\\texttt{{{name.replace('_', chr(92) + '_')}}}: ")[2].partition("\\texttt{")[0]
        assert f"({count} points)" in told


def test_each_scale_is_said_with_the_scores_that_are_on_it(studies, facts):
    text = methods_paragraph(studies.studies["recht2018"], RunsBehind({}, {}), facts)
    assert r"Scores \emph{machado2018}: taken as they are." in text
    assert r"Scores \emph{Atari 200M}: on the scale between the reference scores (atari human)" in text


def recorded(studies, jobs, **tables) -> RunsBehind:
    """The runs behind some drawings of jordan2020, whose numbers are given."""
    job = next(each for each in jobs if each.stage == "draw" and each.study == "jordan2020")
    drawn: dict[str, tuple[Job, pd.DataFrame]] = {name: (job, table) for name, table in tables.items()}
    own = [each for each in jobs if each.study == "jordan2020"]
    study: Study = studies.studies["jordan2020"]
    titles = job.settings["algorithm_titles"]
    return RunsBehind({"runs": SMALL}, {}, records_of("jordan2020", study, own, drawn, SMALL.total), titles)


@pytest.mark.usefixtures("in_project")
def test_figures_of_a_record_are_of_its_runs(studies, jobs, facts):
    figure = pd.DataFrame({"method": ["pbp"], "value": [0.5], "source": ["the large run"]})
    table = pd.DataFrame({"verdict": ["reproduced"], "record_ours": [1.0]})
    runs = recorded(studies, jobs, figure_5=figure, table_numbers=table, table_runs=pd.DataFrame({"AC": [2]}))
    assert (runs.records.whole, runs.records.beside) == ({"figure_5"}, {"table_numbers"})
    record = pd.read_csv(PROJECT / "reports" / "records" / "jordan2020.csv")
    means = record[record["item"].str.startswith("mean/")]
    assert int(means["trials"].sum()) == 921866
    text = methods_paragraph(studies.studies["jordan2020"], runs, facts)
    assert "AC-s" in text and r"ac\_s" not in text
    assert "in 15 environments, with 201 to 10{,}000 runs" in text and r"(921{,}866 runs in all)" in text
    assert "All else is made of the runs of this study: 2 algorithms" in text and r"10{,}000 resamples" in text
    listed = checklist(studies.studies["jordan2020"], runs, facts)
    assert "There are 201 to 10,000 of each of 11 algorithms in each of 15 environments in the record" in listed
    assert "](#" not in listed


@pytest.mark.usefixtures("in_project")
def test_without_figures_of_it_a_record_is_not_spoken_of(studies, jobs, facts):
    own = pd.DataFrame({"method": ["pbp"], "value": [0.5], "source": ["this study"]})
    runs = recorded(studies, jobs, figure_5_run=own)
    assert not runs.records.whole and not runs.records.answers
    assert "in the record" not in methods_paragraph(studies.studies["jordan2020"], runs, facts)


@pytest.fixture
def in_project(monkeypatch):
    monkeypatch.chdir(PROJECT)


def test_runs_of_a_record_are_those_of_its_means():
    items = ["mean/maze/a", "mean/maze/b(x=1)", "mean/case/pole/a", "game_score/a", "mean/maze/a"]
    record = pd.DataFrame({"item": items, "trials": [3, 5, 4, 900, 3]})
    assert recorded_runs(record) == (["a", "b(x=1)"], ["maze", "case/pole"], 3, 5, 12)
    assert recorded_runs(pd.DataFrame({"analysis": ["x"]})) is None
