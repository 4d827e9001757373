"""A process that was started for one job finds it in the spec files, and needs nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from surefoot.cli.jobs import jobs_of_process

from surefoot.build.errors import InputError
from surefoot.build.files import canonical_json
from surefoot.build.job import CONFIGURATION, Job, specification

WORK = "surefoot.questions.answers:answer"


def job(stage, part, study="mine"):
    settings, outputs = {"replicates": 20}, {part: f"results/{stage}/{study}/{part}.csv"}
    return Job(stage, study, part, WORK, settings, (), {"scores": "scores.csv"}, outputs)


JOBS = [job("aggregate", "game_scores"), job("estimate", "pbp"), job("estimate", "runs"), job("draw", "figures")]
JOBS += [job("render", "index", "search")]


@pytest.fixture(autouse=True)
def planned(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", "elsewhere")
    monkeypatch.delenv("SUREFOOT_STORE")
    for planned in JOBS:
        Path(planned.spec).parent.mkdir(parents=True, exist_ok=True)
        Path(planned.spec).write_text(canonical_json(specification(planned)))
    CONFIGURATION.write_text(json.dumps({"store": "our_store", "studies": {}}))


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("estimate:study=mine,part=pbp", JOBS[1]),
        ("draw:study=mine,part=figures", JOBS[3]),
        ("render:study=search,part=index", JOBS[4]),
    ],
)
def test_a_job_is_found_by_its_target_alone(target, wanted):
    arguments = ["snakemake", "--target-jobs", target, "--allowed-rules", "any", "--cores", "all", "--mode", "remote"]
    ((key, found),) = jobs_of_process(arguments).items()
    assert key == (wanted.stage, wanted.study, wanted.part)
    names = ("work", "settings", "inputs", "outputs", "spec", "manifest", "log")
    assert all(getattr(found, name) == getattr(wanted, name) for name in names)


def test_a_group_has_several_and_a_rule_without_a_plan_none():
    targets = ["estimate:study=mine,part=pbp", "estimate:study=mine,part=runs"]
    assert [part for _, _, part in jobs_of_process(["--target-jobs", *targets])] == ["pbp", "runs"]
    assert jobs_of_process(["--target-jobs", "measure:subject=simulation"]) == {}


def test_the_jobs_of_its_rule_that_make_its_inputs_are_known_too():
    summary = job("estimate", "summary")._replace(inputs={"a": "a.csv"}, made_by={"a": JOBS[1].manifest})
    Path(summary.spec).write_text(canonical_json(specification(summary)))
    found = jobs_of_process(["--target-jobs", "estimate:study=mine,part=summary"])
    assert [part for _, _, part in found] == ["summary", "pbp"]


def test_the_store_is_the_one_of_the_plan(monkeypatch, tmp_path):
    code = "import os, sys; from surefoot.cli.jobs import jobs_of_process; jobs_of_process([]); "
    code += "print(os.environ['SUREFOOT_STORE'], {'numpy', 'pydantic', 'pandas'} & set(sys.modules))"
    path = {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    printed = subprocess.check_output([sys.executable, "-c", code], text=True, env=path, cwd=tmp_path)
    assert printed == f"{tmp_path / 'our_store'} set()\n"


def test_a_damaged_spec_or_configuration_is_one_sentence():
    Path(JOBS[1].spec).write_text("{")
    with pytest.raises(InputError, match=r"pbp\.json: no spec of a job"):
        jobs_of_process(["--target-jobs", "estimate:study=mine,part=pbp"])
    CONFIGURATION.write_text("[")
    with pytest.raises(InputError, match=r"configuration\.json: no checked configuration"):
        jobs_of_process([])
