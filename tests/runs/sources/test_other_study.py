"""A source that uses the runs of another study."""

import pytest

from surefoot.errors import InputError
from surefoot.runs.sources.other_study import OtherStudy
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.drawing_inputs import study_facts, study_tables
from surefoot.workflow.planning.plan import study_jobs

TABLE = {"kind": "score_table", "file": "scores.csv"}


def checked(source):
    studies = {
        "first": {"title": "First", "sources": {"runs": TABLE, "more": TABLE}},
        "second": {"title": "Second", "sources": {"runs": {"kind": "study"} | source}},
    }
    return validate_configuration({"studies": studies}, [])


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ({"study": "first"}, "results/collect/first/runs.parquet"),
        ({"study": "first", "source": "more"}, "results/collect/first/more.parquet"),
    ],
)
def test_its_questions_take_the_runs_of_the_other_study(source, path):
    jobs = study_jobs("second", checked(source))
    assert not [job for job in jobs if job.stage == "collect"]
    normalizing = [job for job in jobs if job.stage == "normalize"]
    assert normalizing and all(path in job.inputs.values() for job in normalizing)


def test_its_name_may_be_that_of_the_other_study():
    assert OtherStudy().of_other_study("first") == ("first", "runs")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"study": "second"}, r"sources\.runs: a study cannot use its own runs\. Hint: name another study"),
        ({"study": "frist"}, r'sources\.runs\.study: there is no study "frist"\. Hint: did you mean "first"'),
        ({}, r'sources\.runs\.study: there is no study "runs"'),
        ({"study": "first", "source": "mor"}, r'runs\.source: "first" has no runs "mor"\. Hint: did you mean "more"'),
    ],
)
def test_runs_that_are_not_there_are_named(source, message):
    with pytest.raises(InputError, match=message):
        checked(source)


def test_known_algorithms_have_their_titles():
    study = checked({"study": "first"}).studies["second"]
    facts = study_facts("second", study, study_tables("second", study, []), [])
    assert facts["titles"]["sarsa"] == "Sarsa(λ)" and facts["environment_titles"] == {}
