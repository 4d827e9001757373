"""The jobs, pages and targets that say how many runs a study needs."""

from pathlib import Path

import pytest

from surefoot.build.errors import InputError
from surefoot.cli.workflow import check_targets
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.plan import plan

ROOT = Path(__file__).parents[2]
NAMES = ("jordan2020", "agarwal2021", "recht2018", "castronovo2016", "example")
FILES = [ROOT / "config" / "config.yaml", *(ROOT / "config" / "studies" / f"{name}.yaml" for name in NAMES)]


@pytest.fixture(scope="module")
def shipped():
    return validate_configuration(read_configuration(FILES), FILES)


def planned(config):
    return {(job.stage, job.study, job.part): job for job in plan(config)}


def test_studies_that_ask_have_jobs_and_a_page(shipped):
    jobs = planned(shipped)
    for study in ("example", "agarwal2021"):
        (part,) = {
            part for stage, name, part in jobs if (stage, name) == ("cover", study) and part.endswith("_how_many_runs")
        }
        assert set(jobs["cover", study, part].outputs) == {"how_many_runs", "sequential", "false_alarms"}
        assert ("draw", study, "how_many_runs") in jobs
        page = jobs["render", f"{study}_how_many_runs", "page"]
        menu = dict(page.settings["navigation"])["How many runs?"]
        assert (shipped.studies[study].label, f"{study}_how_many_runs.html") in menu
    assert not [part for stage, study, part in jobs if study == "recht2018" and "how_many_runs" in part]
    normalized = jobs["normalize", "example", "runs"].outputs["normalized"]
    assert jobs["cover", "example", "runs_how_many_runs"].inputs == {"scores": normalized}


@pytest.mark.parametrize(
    ("study", "kind"), [("agarwal2021", "sequential_comparison"), ("jordan2020", "false_alarm_rates")]
)
def test_algorithms_that_have_no_runs_are_refused(study, kind):
    config = read_configuration(FILES)
    asked = {"kind": kind, "compare": ["q_parl2", "sarsa_par12"]}
    config["studies"][study]["questions"]["mine"] = asked | (
        {"scores": ["simulated"]} if study == "agarwal2021" else {}
    )
    with pytest.raises(InputError) as caught:
        validate_configuration(config, FILES)
    assert 'mine.compare: "sarsa_par12" is not an algorithm of this source. Hint: did you mean "sarsa_parl2"?' in str(
        caught.value
    )


def test_a_study_that_does_not_ask_is_no_target(shipped):
    jobs, names = plan(shipped), ["how_many_runs", "example_how_many_runs"]
    check_targets(names, names, jobs)
    with pytest.raises(InputError, match=r'nothing makes exampel_how_many_runs\. Hint: did you mean "example_how'):
        check_targets(["exampel_how_many_runs"], names, jobs)
