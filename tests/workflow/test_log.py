"""What long work says of itself: how much is done, and a time that follows the work, not the number of parts."""

import logging
from functools import partial

import pytest

from surefoot.workflow import log


@pytest.fixture
def told():
    """Lines that are reported."""
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    log.logger.addHandler(handler)
    log.logger.setLevel(logging.INFO)
    yield lines
    log.logger.removeHandler(handler)


def test_the_time_left_follows_the_work_where_it_is_known(told):
    seconds = [0.0]
    clock = partial(seconds.__getitem__, 0)
    even = log.progress_reporter("even", 100, "trials", clock=clock)
    uneven = log.progress_reporter("uneven", 100, "trials", work=1000.0, clock=clock)
    seconds[0] = 10.0
    even(10)
    uneven(10, 500.0)  # few trials, but half of the work
    seconds[0] += log.SECONDS_BETWEEN_REPORTS - 0.1
    even(11)  # too soon after the last one
    assert told == ["even: 10 of 100 trials, about 90 s left", "uneven: 10 of 100 trials, about 10 s left"]
    slow = log.progress_reporter("slow", 100, "trials", work=1.0, clock=clock)
    seconds[0] += log.SECONDS_BETWEEN_REPORTS + 0.1
    slow(0, 0.0)
    assert told[2:] == ["slow: 0 of 100 trials, no time known yet"]
