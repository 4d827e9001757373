"""Estimates of CPU seconds, and batches of work of at least ten minutes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from surefoot.workflow.measured_seconds import (
    SECONDS_OF_A_BATCH,
    batch_numbers,
    seconds_of_intervals,
    seconds_of_plays,
    seconds_of_trial,
)


@example([SECONDS_OF_A_BATCH] * 3)
@given(st.lists(st.floats(0.0, 2.0 * SECONDS_OF_A_BATCH)))
def test_every_batch_but_the_last_takes_long_enough(seconds):
    """And it would not without its last piece."""
    numbers = list(batch_numbers(seconds))
    batches = [[piece for piece, one in zip(seconds, numbers, strict=True) if one == number] for number in set(numbers)]
    assert numbers == sorted(numbers) and set(numbers) == set(range(len(batches)))
    for batch in batches[:-1]:
        assert sum(batch) >= SECONDS_OF_A_BATCH > sum(batch[:-1])
    assert not batches or sum(batches[-1][:-1]) < SECONDS_OF_A_BATCH


def test_a_variant_of_an_environment_takes_as_long_as_its_kind():
    assert seconds_of_trial("ppo", "chain_10_stochastic") == seconds_of_trial("ppo", "chain_10_deterministic")
    assert seconds_of_trial("ppo", "acrobot") > seconds_of_trial("sarsa", "acrobot") == seconds_of_trial("q", "acrobot")
    assert seconds_of_trial("ppo", "mine") == seconds_of_trial("mine", "mine") > 0.0


def test_intervals_take_time_for_methods_runs_and_resamples():
    one = seconds_of_intervals(1, 10, 200)
    assert seconds_of_intervals(3, 10, 200) == pytest.approx(3 * one)
    more = seconds_of_intervals(1, 20, 200) - one
    assert seconds_of_intervals(1, 40, 200) == pytest.approx(one + 3 * more)
    assert seconds_of_intervals(1, 10, 400) > one


def test_plays_take_time_for_decisions_and_for_learning_before():
    def cell(agent, **arguments):
        return {"agent": agent, "arguments": arguments, "horizon": 100}

    random = cell("random")
    assert seconds_of_plays(random, 0) == 0.0
    assert seconds_of_plays(random, 20) == pytest.approx(2 * seconds_of_plays(random, 10))
    learning = seconds_of_plays(cell("opps_ds", budget=50), 0)
    assert learning == pytest.approx(seconds_of_plays(cell("mine"), 50)) and learning > 0.0
    deep, flat = (seconds_of_plays(cell("bamcp", samples=1000, depth=depth), 1) for depth in (50, 25))
    assert flat < deep < 2 * flat
