"""What jobs ask a cluster for: enough for what was measured, and more where there is more to do."""

import pytest

from surefoot.workflow.job import MANY_RESAMPLES, Job
from surefoot.workflow.planning.needs import START_MB, START_MINUTES, megabytes, minutes, seconds, threads


def simulating(trials, block=500, environment="cart_pole"):
    cell = {"algorithm": "ppo", "environment": environment, "first": 0, "trials": trials, "block": block}
    settings = {"seed": 1, "cells": {f"ppo.{environment}": cell}}
    return Job("simulate", "mine", "ppo", "simulate_trials", settings, (), {}, {})


def answering(**asked):
    settings = {"n_resamples": 1000, "question": {"kind": "rank_probabilities"} | asked}
    return Job("estimate", "mine", "mine", "estimate", settings, (), {}, {})


def covering(**changes):
    settings = {"methods": ["pbp"], "variants": ["corrected"], "datasets": 100, "n_resamples": 1000, "size": 10}
    return Job(
        "cover", "mine", "mine.10", "cover_block", settings | {"design": "resample", "block": 10} | changes, (), {}, {}
    )


def drawing():
    return Job("draw", "mine", "figures", "draw", {}, (), {}, {})


def test_a_job_that_was_ended_asks_for_twice_as_much():
    job = simulating(10_000)
    assert [megabytes(job, 10.0, attempt) for attempt in (1, 2, 3)] == [1700, 3400, 6800]
    first = minutes(job)
    assert first > START_MINUTES
    assert [minutes(job, 1, attempt) for attempt in (2, 3)] == [2 * first, 4 * first]


def test_time_grows_with_the_trials_and_falls_with_threads():
    assert seconds(simulating(20)) == seconds(simulating(20, block=1)) == pytest.approx(seconds(simulating(1000)) / 50)
    assert minutes(drawing()) == START_MINUTES
    assert minutes(simulating(100_000), 1) > minutes(simulating(100_000), 8) > START_MINUTES


def test_threads_grow_with_the_length_of_a_job():
    assert threads(simulating(100), 8) == 1
    assert threads(simulating(3_000), 8) == 3
    assert threads(simulating(1_000_000), 8) == 8
    assert threads(covering(datasets=10**6), 8) == 1  # it works on one
    assert threads(drawing(), 8) == 1


def test_long_resampling_has_all_threads():
    assert threads(answering(n_resamples=MANY_RESAMPLES), 8) == 8
    assert threads(answering(n_resamples=MANY_RESAMPLES - 1), 8) == 1


def test_memory_grows_with_inputs_that_are_read_whole():
    assert megabytes(drawing(), 0.0) == START_MB
    assert megabytes(covering(), 5000.0) == START_MB + 100_000
    cut = covering(design="cut")
    assert megabytes(cut, 5000.0) == megabytes(cut, 50_000.0) < START_MB + 100
