"""What a run says at its end."""

import os
import time
from pathlib import Path

import pytest

from surefoot.build.errors import InputError
from surefoot.build.job import Job
from surefoot.build.log import job_log, logger
from surefoot.cli.running import told_at_the_end


def job(part):
    return Job("simulate", "mine", part, "work", {}, (), {}, {"runs": f"results/simulate/mine/{part}.parquet"})


def ran(part, error=None, hit=False):
    with job_log(log_of(part), "title", {}):
        if hit:
            logger.info("store     hit: nothing computed")
        if error is not None:
            raise error


def log_of(part):
    return Path(job(part).log)


@pytest.fixture
def started(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return time.time() - 3600


def test_what_was_done(started):
    assert list(told_at_the_end([job("ppo")], started, True)) == [], "a run that did nothing says nothing"
    ran("ppo")
    ran("sarsa", hit=True)
    told = list(told_at_the_end([job("ppo"), job("sarsa"), job("q")], started, True))
    assert told == ["jobs done: 2 in 60 min; results: 2"]
    os.utime(log_of("ppo"), (started - 1, started - 1))  # of an earlier run
    assert list(told_at_the_end([job("ppo"), job("sarsa")], started, True)) == ["jobs done: 1 in 60 min; results: 1"]


def test_what_failed_with_its_sentence_and_its_log(started):
    ran("ppo")
    with pytest.raises(InputError):
        ran("sarsa", InputError("mine.csv", "no such file", "put it back"))
    with pytest.raises(ZeroDivisionError):
        ran("q", ZeroDivisionError("division by zero"))
    with pytest.raises(KeyboardInterrupt):  # which is no failure
        ran("interrupted", KeyboardInterrupt())
    log_of("killed").write_text(log_of("ppo").read_text().partition("memory")[0])
    told = list(told_at_the_end([job(part) for part in ("ppo", "sarsa", "q", "interrupted", "killed")], started, False))
    assert told[1:] == [
        "failed: simulate mine/sarsa: mine.csv: no such file. Hint: put it back",
        "    results/logs/simulate/mine/sarsa.log",
        "failed: simulate mine/q: ZeroDivisionError: division by zero",
        "    results/logs/simulate/mine/q.log",
        "failed: simulate mine/killed: ended without a word: killed, perhaps for the memory or the time that it took",
        "    results/logs/simulate/mine/killed.log",
        "Run the same command again to go on: what is done is not done again.",
    ]
