"""The workflow's own files: the plan and the rules agree, and the README's commands are those that are tested."""

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from surefoot.build.job import LIBRARIES
from surefoot.cli.running import MADE_PAGES
from surefoot.configuration.validation import FIGURES_AND_TABLES, RESERVED_NAMES

ROOT = Path(__file__).parents[2]


@pytest.mark.workflow
def test_snakemake_knows_the_manifest_of_each_job_and_these_all_results(built):
    listed = subprocess.run(**built.command("--summary", capture_output=True), check=True).stdout
    made = {line.split("\t")[0] for line in listed.splitlines() if line.startswith("results/")}
    results = built.folder / "results"
    here = {str(path.relative_to(built.folder)) for path in results.rglob("*") if path.is_file()}
    of_the_run = {path for path in here if path.startswith(("results/spec/", "results/logs/"))} | {str(MADE_PAGES)}
    assert made == {path for path in here if path.startswith("results/manifest/")}
    outputs = {path for manifest in made for path in json.loads((built.folder / manifest).read_text())["outputs"]}
    assert made | outputs == here - of_the_run
    assert str(MADE_PAGES) in here


@pytest.mark.workflow
def test_no_study_can_have_the_name_of_a_rule(built):
    listed = subprocess.run(**built.command("--list-rules", capture_output=True), check=True).stdout
    rules = {line.strip() for line in listed.splitlines() if line[:1].isalpha() or line.startswith(" ")}
    of_studies = {"small", "table"} | {rule for rule in rules if rule.startswith(FIGURES_AND_TABLES)}
    assert {"all", "simulate", "check"} < rules
    assert rules - of_studies <= RESERVED_NAMES


def test_one_name_through_the_stack():
    for stage in LIBRARIES:
        assert (ROOT / f"workflow/rules/{stage}.smk").is_file()


def test_the_readme_has_two_commands_that_set_everything_up():
    lines = (ROOT / "README.md").read_text().splitlines()
    commands = [line for line in lines if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("requirements.txt && .venv/bin/snakemake")
    assert commands[1].endswith("requirements-test.txt && .venv/bin/python -m pytest -n auto")


def test_the_profile_does_what_was_interrupted_again_and_shows_the_logs_of_what_failed():
    profile = yaml.safe_load((ROOT / "profiles/default/profile.yaml").read_text())
    assert profile["rerun-incomplete"] and profile["nolock"] and profile["show-failed-logs"]
    assert (profile["scheduler"], profile["max-checksum-file-size"]) == ("greedy", "1GB")
