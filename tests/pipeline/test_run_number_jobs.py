"""The jobs, pages and targets that say how many runs a study needs."""

import copy
from pathlib import Path

import pandas as pd
import pytest

from surefoot.build.canonical import canonical_json
from surefoot.build.errors import InputError
from surefoot.build.job import specification
from surefoot.build.runner import run_job
from surefoot.cli.workflow import check_targets
from surefoot.configuration.validation import read_configuration, validate_configuration
from surefoot.pipeline.plan import plan

ROOT = Path(__file__).parents[2]
NAMES = ("jordan2020", "agarwal2021", "recht2018", "castronovo2016", "example")
FILES = [ROOT / "config" / "config.yaml", *(ROOT / "config" / "studies" / f"{name}.yaml" for name in NAMES)]


@pytest.fixture(scope="module")
def shipped():
    return validate_configuration(read_configuration(FILES), FILES, ROOT / "reports")


def planned(config):
    return {(job.stage, job.study, job.part): job for job in plan(config)}


def test_studies_that_ask_have_jobs_and_a_page(shipped):
    jobs = planned(shipped)
    for study in ("example", "agarwal2021"):
        assert set(jobs["cover", study, "how_many_runs"].outputs) == {"how_many_runs", "sequential", "false_alarms"}
        assert ("draw", study, "how_many_runs") in jobs
        page = jobs["render", f"{study}_how_many_runs", "page"]
        assert [f"How many runs? {shipped['studies'][study]['label']}", f"{study}_how_many_runs.html"] in [
            list(link) for link in page.settings["navigation"]
        ]
    assert ("cover", "recht2018", "how_many_runs") not in jobs
    normalized = jobs["normalize", "example", "how_many_runs"].outputs["normalized"]
    assert jobs["cover", "example", "how_many_runs"].inputs == {"scores": normalized}


def test_tasks_are_not_taken_for_independent_unless_it_is_said(shipped):
    jobs = planned(shipped)
    chosen = {
        study: jobs["cover", study, "how_many_runs"].settings["analyses"]["sequential"]["tasks_independent"]
        for study in ("example", "agarwal2021")
    }
    assert chosen == {"example": "auto", "agarwal2021": True}
    config = read_configuration(FILES)
    config["studies"]["example"]["how_many_runs"]["tasks_independent"] = "perhaps"
    with pytest.raises(InputError) as caught:
        validate_configuration(config, FILES, ROOT / "reports")
    assert "perhaps" in str(caught.value) and "auto" in str(caught.value)


@pytest.mark.parametrize("study", ["agarwal2021", "jordan2020"])
def test_algorithms_that_have_no_runs_are_refused(study):
    config = read_configuration(FILES)
    section = config["studies"][study].setdefault("how_many_runs", {})
    section["compare"] = ["q_parl2", "sarsa_par12"]
    with pytest.raises(InputError) as caught:
        validate_configuration(config, FILES, ROOT / "reports")
    assert 'sarsa_par12" is none of the pilot\'s algorithms. Hint: did you mean "sarsa_parl2"?' in str(caught.value)


def test_nothing_is_compared_unless_it_is_asked(shipped):
    config = copy.deepcopy(shipped)
    del config["studies"]["example"]["how_many_runs"]["compare"]
    job = planned(config)["cover", "example", "how_many_runs"]
    assert set(job.outputs) == {"how_many_runs"}
    config["studies"]["example"]["how_many_runs"] = None
    assert ("cover", "example", "how_many_runs") not in planned(config)


def test_the_numbers_of_the_example(monkeypatch, tmp_path, shipped):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    config = copy.deepcopy(shipped)
    section = config["studies"]["example"]["how_many_runs"]
    section |= {"sizes": [3, 20], "datasets": 20, "replicates": 50, "rounds": 4, "experiments": 10}
    jobs = planned(config)
    parts = {"collect": "runs", "normalize": "how_many_runs", "cover": "how_many_runs"}
    for job in (jobs[stage, "example", part] for stage, part in parts.items()):
        Path(job.spec).parent.mkdir(parents=True, exist_ok=True)
        Path(job.spec).write_text(canonical_json(specification(job)))
        run_job(Path(job.spec))
    found = pd.read_csv("results/cover/example/how_many_runs.csv")
    width = found[(found["quantity"] == "width") & (found["metric"] == "iqm")].set_index("runs")["value"]
    assert 0 < width[20] < width[3] < 1
    looks = pd.read_csv("results/cover/example/sequential.csv")
    runs = pd.read_csv(ROOT / "config" / "example_scores.csv")
    compared = runs[runs["algorithm"].isin(section["compare"])]
    assert len(looks) == compared.groupby(["algorithm", "environment"]).size().min()
    assert len(pd.read_csv("results/cover/example/false_alarms.csv")) == 2 * 4


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("recht2018_how_many_runs", "studies.recht2018.how_many_runs: {} asks"),
        ("exampel_how_many_runs", "agarwal2021_how_many_runs, example_how_many_runs"),
    ],
)
def test_a_study_that_does_not_ask_is_no_target(shipped, target, hint):
    jobs = plan(shipped)
    check_targets(
        ["how_many_runs", "example_how_many_runs"], ["how_many_runs", "example_how_many_runs"], jobs, shipped["studies"]
    )
    with pytest.raises(InputError, match="no such study asks how many runs it needs") as caught:
        check_targets([target], [], jobs, shipped["studies"])
    assert sorted(caught.value.hint.split(", ")) == sorted(hint.split(", "))
