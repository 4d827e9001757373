"""The methods section says of each question what it was asked with, and of which runs the figures are."""

import contextlib
from pathlib import Path

import pandas as pd
import pytest

from surefoot.build.job import Job
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.export.citations import read_facts
from surefoot.export.latex import from_markdown
from surefoot.export.methods import TEMPLATE, checklist, guarantees, methods_section
from surefoot.export.runs import CountedRuns, RunsBehind, recorded_runs, runs_behind, with_records
from surefoot.export.setting_words import INTERVALS, filled, settings_in_words, settings_named, stated_settings
from surefoot.pipeline.plan import plan
from surefoot.questions.registry import questions
from surefoot.questions.settings import Question
from surefoot.sources.learning_curves.settings import Settings as LearningCurves

PROJECT = Path(__file__).parents[2]
SMALL = CountedRuns(["ac", "q"], ["acrobot"], 2, 200, 15310)


@pytest.fixture(scope="module")
def facts():
    return read_facts()


@pytest.fixture(scope="module")
def studies():
    files = [PROJECT / "config" / "config.yaml", *sorted((PROJECT / "config" / "studies").glob("*.yaml"))]
    return validate_configuration(read_configuration(files), files, PROJECT / "reports")


@pytest.fixture(scope="module")
def jobs(studies):
    with contextlib.chdir(PROJECT):
        return plan(studies)


def sentence(studies, facts, kind, **settings):
    words = settings_in_words(studies.studies["example"], asked_as(kind, **settings), facts, {"q": "Q(λ)", "ac": "AC"})
    return from_markdown(filled(facts["question", kind][TEMPLATE], words))


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
        ("sequential_comparison", {"compare": ["q", "ac"]}, r"Q(\ensuremath{\lambda}) and AC"),
        (
            "sequential_comparison",
            {"compare": ["q", "ac"], "tasks_independent": True},
            "Tasks are taken to be independent",
        ),
        (
            "subsamples",
            {"metrics": ["iqm"], "sizes": [3, 50], "datasets": 5000},
            r"5,000 subsamples each of 3 and 50 runs",
        ),
        ("subsamples", {"metrics": ["iqm"], "sizes": [3, 50], "datasets": 5000}, "the same runs on all tasks"),
        ("run_plans", {"datasets": 500}, "simulate 500 studies each of"),
        ("false_alarm_rates", {"compare": ["q", "ac"], "datasets": 200}, "simulate 200 experiments"),
        ("improvement", {}, "intervals of each pair (method: placements)"),
        ("profiles", {"thresholds": {"from": 0, "to": 2, "count": 201}}, "and, paler, simultaneous bands"),
        ("profiles", {"thresholds": {"from": 0, "to": 2, "count": 201}}, "at thresholds of 0 to 2 (201 points)"),
        ("sample_efficiency", {"band": "simultaneous"}, "with simultaneous 95"),
    ],
)
def test_each_setting_is_said(studies, facts, kind, settings, said):
    assert said in sentence(studies, facts, kind, **settings)


@pytest.mark.parametrize("kind", sorted(questions()))
def test_each_question_has_a_sentence_that_tells_all_of_its_settings(facts, kind):
    told = settings_named(facts["question", kind][TEMPLATE])
    expected = stated_settings(questions()[kind])
    assert {*expected} <= {*told} <= {*expected, INTERVALS}


def test_intervals_stand_in_the_sentence_of_each_question_that_has_them(facts):
    for kind, settings in questions().items():
        has_them = "methods" in settings.model_fields or "interval" in facts["question", kind]
        assert (INTERVALS in settings_named(facts["question", kind][TEMPLATE])) >= has_them, kind


def test_what_a_setting_does_not_say_is_left_out_with_its_phrase(studies, facts):
    asked = {"metrics": ["iqm"], "sizes": [3], "datasets": 10}
    assert "of Q" not in sentence(studies, facts, "subsamples", **asked)
    assert r"of 3 runs of Q(\ensuremath{\lambda})," in sentence(studies, facts, "subsamples", **asked, algorithms=["q"])


def test_a_metric_is_told_with_its_parameter_and_its_weights(studies, facts):
    told = sentence(studies, facts, "aggregates", metrics=["optimality_gap(0.5)", "mean weighted by tasks"])
    assert "optimality gap (0.5) and mean (weighted by tasks)" in told


def test_a_question_without_a_sentence_is_told_of_by_the_names_of_its_settings(studies, facts):
    class Settings(Question):
        """A question of tomorrow."""

        kind: str = "tomorrow"
        stage = "cover"
        petals: int = 7341
        colours: tuple[str, ...] = ("red", "blue")

        def inputs(self):
            return {}

    study = studies.studies["example"].model_copy(update={"questions": {"tomorrow": Settings()}})
    text = methods_section(study, RunsBehind({}, {}), facts)
    assert r"A question of tomorrow; petals: 7,341; colours: red and blue." in text


def test_methods_that_were_repeated_as_published_promise_no_theorem(studies, facts):
    text = methods_section(studies.studies["jordan2020"], RunsBehind({"runs": SMALL}, {}), facts)
    promise = text.partition(r"\emph{PBP}, as published")[2].partition(r"\item")[0]
    assert "without a guarantee" in promise and "theorem" not in promise


def test_all_questions_of_a_kind_are_told_of(studies, facts):
    study = studies.studies["agarwal2021"]
    text = methods_section(study, RunsBehind({}, {}), facts, {"figure_7": ["fig:figure_7_1", "fig:figure_7_2"]})
    profiles = text.partition(r"\paragraph{Profiles.}")[2].partition(r"\paragraph")[0]
    counts = [question.thresholds.count for question in study.questions.values() if question.kind == "profiles"]
    assert len(counts) > 3 and all(f"({count} points)" in profiles for count in counts)
    assert r"(Figures~\ref{fig:figure_7_1} and \ref{fig:figure_7_2})." in profiles


def test_runs_that_were_left_out_do_not_count_though_their_curves_are_there(studies, tmp_path):
    counts = {"runs": 4, "runs_curves": 4, "runs_evaluations": 5}
    for name, runs in counts.items():
        table = pd.DataFrame({"algorithm": "td3", "environment": "Hopper-v4", "run": range(runs), "score": 1.0})
        table.to_parquet(tmp_path / f"{name}.parquet")
    outputs = {name: str(tmp_path / f"{name}.parquet") for name in counts}
    job = Job("collect", "mine", "runs", "surefoot.sources:read", {}, (), {}, outputs)
    source = LearningCurves.model_validate({"kind": "learning_curves", "file": "curves.parquet"})
    study = studies.studies["example"].model_copy(update={"sources": {"runs": source}})
    assert runs_behind("mine", study, [job], {}).sources == {"runs": (["td3"], ["Hopper-v4"], 4, 4, 4, ())}


def test_scales_are_named_only_where_they_tell_questions_apart(studies, facts):
    example = studies.studies["example"]
    scales = example.scales | {"curves": example.scales["runs"].model_copy(update={"source": "runs_curves"})}
    asked = {"aggregates": example.questions["aggregates"], "curves": asked_as("sample_efficiency", scores=["curves"])}
    study = example.model_copy(update={"scales": scales, "questions": asked})
    assert r"On \emph{" not in methods_section(study, RunsBehind({}, {}), facts)
    none = study.model_copy(update={"scales": scales | {"curves": studies.studies["recht2018"].scales["machado2018"]}})
    assert r"On \emph{curves}, we report the IQM" in methods_section(none, RunsBehind({}, {}), facts)


def test_an_assumption_is_said_once_in_full(studies, facts):
    text = methods_section(studies.studies["agarwal2021"], RunsBehind({}, {}), facts)
    assert text.count("We assume that the given runs represent all runs.") == 1
    assert text.count("Assumptions are as for subsample densities.") > 2


def test_each_scale_is_said_with_the_scores_that_are_on_it(studies, facts):
    text = methods_section(studies.studies["recht2018"], RunsBehind({}, {}), facts)
    assert r"Scores \emph{machado2018} are taken as they are." in text
    assert r"Scores \emph{Atari 200M} are on the scale between the reference scores (atari human)" in text


def recorded(jobs, **tables) -> RunsBehind:
    """The runs behind some drawings of jordan2020, whose numbers are given."""
    job = next(each for each in jobs if each.stage == "draw" and each.study == "jordan2020")
    drawn: dict[str, tuple[Job, pd.DataFrame]] = {name: (job, table) for name, table in tables.items()}
    own = [each for each in jobs if each.study == "jordan2020"]
    titles = job.settings["algorithm_titles"]
    return with_records(RunsBehind({"runs": SMALL}, titles=titles), own, drawn)


@pytest.mark.usefixtures("in_project")
def test_figures_of_a_record_are_of_its_runs(studies, jobs, facts):
    figure = pd.DataFrame({"method": ["pbp"], "value": [0.5], "source": ["the large run"]})
    table = pd.DataFrame({"verdict": ["reproduced"], "record_ours": [1.0]})
    runs = recorded(jobs, figure_5=figure, table_numbers=table, table_runs=pd.DataFrame({"AC": [2]}))
    assert (runs.from_record, runs.beside_record) == ({"figure_5"}, {"table_numbers"})
    record = pd.read_csv(PROJECT / "reports" / "records" / "jordan2020.csv")
    means = record[record["item"].str.startswith("mean/")]
    assert int(means["trials"].sum()) == 921866
    text = methods_section(studies.studies["jordan2020"], runs, facts)
    assert "AC-s" in text and r"ac\_s" not in text
    assert "in 15 environments, with 201 to 10,000 runs" in text and r"(921,866 runs in all)" in text
    assert "Everything else is computed from the runs of this study: 2 algorithms" in text
    listed = checklist(studies.studies["jordan2020"], runs, facts)
    assert "There are 201 to 10,000 of each of 11 algorithms in each of 15 environments in the record" in listed
    assert "](#" not in listed


@pytest.mark.usefixtures("in_project")
def test_without_figures_of_it_a_record_is_not_spoken_of(studies, jobs, facts):
    own = pd.DataFrame({"method": ["pbp"], "value": [0.5], "source": ["this study"]})
    runs = recorded(jobs, figure_5_run=own)
    assert runs.recorded is None and not runs.from_record
    assert "the record" not in methods_section(studies.studies["jordan2020"], runs, facts)


@pytest.fixture
def in_project(monkeypatch):
    monkeypatch.chdir(PROJECT)


def test_runs_of_a_record_are_those_of_its_means():
    items = ["mean/maze/a", "mean/maze/b(x=1)", "mean/case/pole/a", "game_score/a", "mean/maze/a"]
    record = pd.DataFrame({"item": items, "trials": [3, 5, 4, 900, 3]})
    assert recorded_runs(record) == (["a", "b(x=1)"], ["maze", "case/pole"], 3, 5, 12, ())
    assert recorded_runs(pd.DataFrame({"analysis": ["x"]})) is None
