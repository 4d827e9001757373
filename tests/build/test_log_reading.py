"""The log of a job says what became of it, to people and to programs."""

import logging
import os
import time

import pytest

from surefoot.build.errors import InputError
from surefoot.build.log import job_log, logger
from surefoot.build.log_reading import read_job_log


def test_a_job_that_ended(tmp_path):
    with job_log(tmp_path / "log", "title", {}):
        logger.info("store     hit: nothing computed, made in 3 s")
    found = read_job_log(tmp_path / "log", time.time() - 10)
    assert found.seconds >= 0 and found.error is None and found.hit
    assert abs(found.started - time.time()) < 5


def test_a_job_that_goes_on_says_how_long(tmp_path):
    with job_log(tmp_path / "log", "title", {}):
        logger.info("simulate ppo: 10 of 100 trials, about 1,234 s left")
        logging.getLogger("surefoot").info("simulate ppo: 20 of 100 trials, about 1,001 s left")
        found = read_job_log(tmp_path / "log")
    assert (found.seconds, found.error, found.left) == (None, None, 1001.0)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (InputError("mine.csv", "no such file", "put it back"), "mine.csv: no such file. Hint: put it back"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
    ],
)
def test_a_job_that_failed_says_why(error, said, tmp_path):
    with pytest.raises(type(error)), job_log(tmp_path / "log", "title", {}):
        raise error
    found = read_job_log(tmp_path / "log")
    assert found.error == said and found.seconds is not None


def test_an_older_job_is_another_one(tmp_path):
    with job_log(tmp_path / "log", "title", {}):
        pass
    assert read_job_log(tmp_path / "log", time.time() + 60) is None
    text = (tmp_path / "log").read_text()
    (tmp_path / "log").write_text(text.replace("started   2", "started   1"))
    assert read_job_log(tmp_path / "log", time.time() - 60) is None
    assert read_job_log(tmp_path / "none") is None
    (tmp_path / "log").write_text("")
    os.utime(tmp_path / "log")
    assert read_job_log(tmp_path / "log") is None
