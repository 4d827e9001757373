"""Configuration: the shipped one and every overlay pass, every mistake is one sentence with file, key and hint."""

import copy
import datetime
import json

import pytest
from support.paths import ROOT
from support.shipped_configuration import JORDAN, QUESTIONS, RUNS, SHIPPED, TABLE, changed

from surefoot.errors import InputError
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import read_back, validate_configuration
from surefoot.workflow.planning.needs import START_MB, START_MINUTES, megabytes, minutes, seconds, threads
from surefoot.workflow.planning.plan import plan

TRIALS_OF = {"kind": "trials", "algorithms": ["sarsa", "q"], "environments": ["chain_10_stochastic"]}


def test_shipped_configuration_is_valid_and_gets_its_defaults():
    config = validate_configuration(read_configuration(SHIPPED), SHIPPED)
    assert config.studies["jordan2020"].confidence_level == 0.95
    assert config.published.plain() == {"download": False, "address": "https://raw.githubusercontent.com"}
    assert config.studies["example"].sources["runs"].plain() == {
        "kind": "score_table",
        "file": "config/example_scores.csv",
        "columns": {"algorithm": "algorithm", "environment": "environment", "run": "run", "score": "score"},
        "failed_runs": "error",
        "lower_is_better": False,
        "outcomes": "scores",
        "missing_cells": "error",
        "check_axes": True,
    }


def test_what_was_checked_is_read_back_as_it_was():
    """Commands that look after the results read it so; null is a value where it says that there is no such column."""
    given = read_configuration(SHIPPED)
    given["studies"]["one"] = {"title": "One environment", "sources": copy.deepcopy(TABLE)}
    given["studies"]["one"]["sources"]["runs"]["columns"] = {"environment": None}
    config = validate_configuration(given, SHIPPED)
    assert read_back(json.loads(json.dumps(config.plain()))) == config
    assert config.studies["one"].sources["runs"].decisive()["columns"]["environment"] is None


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            changed(*RUNS, "trails", to=1),
            'studies.jordan2020.sources.runs.trails: unknown key. Hint: did you mean "trials"?',
        ),
        (
            changed(*RUNS, "algorithms", to=["sarsa", "sarza_parl2"]),
            'jordan2020.sources.runs.algorithms.1: unknown name "sarza_parl2". Hint: did you mean "sarsa_parl2"?',
        ),
        (
            changed(*JORDAN, "page", to="jordan"),
            'studies.jordan2020.page: there is no page "jordan". Hint: did you mean "jordan2020"?',
        ),
        (
            changed("studies", "Mine", to={"title": "x"}),
            "studies.Mine: 'Mine' is not a valid name. Hint: use lower",
        ),
        (
            changed("studies", "docs", to={"title": "x", "sources": TABLE}),
            'studies.docs: "docs" is the name of a target of the workflow. Hint: choose another name',
        ),
        (
            changed(
                "studies", "mine", to={"title": "x", "sources": {"runs": {"trials": 10**7, "block": 1, **TRIALS_OF}}}
            ),
            "in chain_10_stochastic are 10,000,000 blocks of 1. Hint: use at least 100, for at most 100,000 blocks",
        ),
        (
            changed(*QUESTIONS, "best_of_candidates", "candidates", to=[1, 5000]),
            "best_of_candidates.candidates: the best of 5000 trials needs more than the 200 trials",
        ),
        (
            changed("studies", "example", "questions", "mine", to={"kind": "coverage", "source": "pool", "sizes": [5]}),
            'studies.example.questions.mine.source: coverage needs a source of runs, but "pool" is not one. Hint:',
        ),
        (changed("studies", to={}), "studies: there are no studies. Hint:"),
        ({"studys": {}, "shipped_studies": False}, 'studys: unknown key. Hint: did you mean "studies"?'),
        ({"trust": {"seed": "x"}}, 'trust: key "subjects" is missing. Hint: '),
        (
            changed(*JORDAN, "sources", to={}),
            'studies.jordan2020: key "sources" is missing. Hint: sources: {runs: {kind: score_table, file: ',
        ),
        (changed(*RUNS, "kind", to="trails"), "runs.kind: 'trails' is not allowed. Hint: did you mean \"trials\"?"),
        (
            changed(*QUESTIONS, "evaluation_game_scores", "scale", to="min_max"),
            'evaluation_game_scores.scale: "min_max" is not a scale of performance percentiles of "runs". Hint: '
            "use perf",
        ),
        (
            changed(*JORDAN, "titles", to={datetime.date(2020, 1, 1): "x", "a": datetime.date(2020, 1, 1)}),
            'titles.a: 2020-01-01 is not allowed. Hint: it must be a text; put it in quotes: "2020-01-01"',
        ),
    ],
)
def test_mistakes_are_one_sentence_with_a_hint(config, message):
    with pytest.raises(InputError) as caught:
        validate_configuration(config, SHIPPED)
    text = str(caught.value)
    assert message in text
    assert "\n" not in text
    assert ". Hint: " in text


def test_quarto_must_be_there_where_it_is_asked_for(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match=r"render: the program quarto is not on the PATH\. Hint: install it"):
        validate_configuration(changed("render", to="quarto"), SHIPPED)


def test_a_study_can_be_left_out():
    config = validate_configuration(changed("studies", "example", to=None), SHIPPED)
    assert list(config.studies) == [name for name in read_configuration(SHIPPED)["studies"] if name != "example"]


def test_the_file_that_has_the_key_is_named(tmp_path):
    over = tmp_path / "over.yaml"
    over.write_text("studies: {jordan2020: {sources: {runs: {trials: 0}}}}")
    with pytest.raises(InputError, match=r"over\.yaml: studies\.jordan2020\.sources\.runs\.trials: 0 is not allowed"):
        validate_configuration(read_configuration([*SHIPPED, over]), [*SHIPPED, over])
    with pytest.raises(InputError, match=r"^command line: studies\.jordan2020\.sources\.runs\.trials: -1"):
        validate_configuration(changed(*RUNS, "trials", to=-1), SHIPPED)


def test_a_part_that_is_null_is_left_out():
    config = changed(*QUESTIONS, "as_published", to=None)
    config["studies"]["jordan2020"]["sources"]["pool_as_published"] = None
    study = validate_configuration(config, SHIPPED).studies["jordan2020"]
    assert "as_published" not in study.questions and "corrected" in study.questions
    assert "pool_as_published" not in study.sources


def test_an_entry_that_is_null_is_left_out_and_a_value_is_not():
    config = changed(*RUNS, "trials_overrides", to=None)
    assert validate_configuration(config, SHIPPED).studies["jordan2020"].sources["runs"].trials_overrides == {}
    config = changed(*RUNS, "trials_overrides", "ppo", to=None)
    assert set(validate_configuration(config, SHIPPED).studies["jordan2020"].sources["runs"].trials_overrides) == {
        name
        for name in read_configuration(SHIPPED)["studies"]["jordan2020"]["sources"]["runs"]["trials_overrides"]
        if name != "ppo"
    }
    with pytest.raises(InputError, match=r'runs: key "trials" is missing. Hint: Number of trials'):
        validate_configuration(changed(*RUNS, "trials", to=None), SHIPPED)
    with pytest.raises(InputError, match=r"questions: 3 is not allowed. Hint: it must be a mapping"):
        validate_configuration(changed(*QUESTIONS, to=3), SHIPPED)


OVERLAYS = sorted((ROOT / "config" / "overlays").glob("*.yaml"))


@pytest.mark.parametrize("overlay", [None, *OVERLAYS], ids=lambda path: path.stem if path else "shipped")
def test_an_overlay_is_valid_and_its_plan_is_bounded(overlay, monkeypatch):
    monkeypatch.chdir(ROOT)
    sources = [*SHIPPED, *([overlay] if overlay else [])]
    config = validate_configuration(read_configuration(sources), sources)
    jobs = plan(config)
    assert len(jobs) < 25_000
    without = [job for job in jobs if (job.stage == "simulate" or job.rule == "cover_block") and seconds(job) == 0]
    # Random policies take two seconds.
    assert {job.settings.get("protocol") for job in without} <= {"surefoot.simulation.other_protocols:random_policies"}
    for job in jobs:
        assert megabytes(job, 0.0) >= START_MB
        assert minutes(job, threads(job, 8)) >= START_MINUTES
    assert sum(len(job.settings["cells"]) for job in jobs if job.stage == "simulate") >= 12 * 11 - 3 * 8
