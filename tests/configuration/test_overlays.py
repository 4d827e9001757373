"""Every shipped overlay is valid with the shipped studies, and its plan is one that a workflow can hold."""

from pathlib import Path

import pytest

from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.needs import (
    INTERVALS,
    PLAYS,
    REPEATED,
    START_MB,
    START_MINUTES,
    TRIALS,
    megabytes,
    minutes,
    seconds,
    threads_of_cluster,
)
from surefoot.pipeline.plan import plan

ROOT = Path(__file__).parents[2]
SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
OVERLAYS = sorted((ROOT / "config" / "overlays").glob("*.yaml"))


@pytest.mark.parametrize("overlay", [None, *OVERLAYS], ids=lambda path: path.stem if path else "shipped")
def test_an_overlay_is_valid_and_has_a_plan_of_bounded_size_whose_jobs_have_estimates(overlay, monkeypatch):
    monkeypatch.chdir(ROOT)
    sources = [*SHIPPED, *([overlay] if overlay else [])]
    config = validate_configuration(read_configuration(sources), sources)
    jobs = plan(config)
    assert len(jobs) < 25_000
    without = [job for job in jobs if job.work in (TRIALS, PLAYS, REPEATED, INTERVALS) and seconds(job) == 0]
    # Random policies take two seconds.
    assert {job.settings.get("protocol") for job in without} <= {"surefoot.simulation.other_protocols:random_policies"}
    for job in jobs:
        assert megabytes(job, 0.0) >= START_MB
        assert minutes(job, threads_of_cluster(job, 8)) >= START_MINUTES
    assert sum(len(job.settings["cells"]) for job in jobs if job.stage == "simulate") >= 12 * 11 - 3 * 8
