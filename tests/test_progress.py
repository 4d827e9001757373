"""The progress bar: in terminals and notebooks, of the outermost loop of a call, and after three seconds."""

import io
from contextlib import redirect_stderr
from itertools import count

import pytest
from support.terminal import Terminal

from surefoot import progress


@pytest.fixture
def call():
    token = progress.CALL.set("surefoot.plan_runs")
    yield
    progress.CALL.reset(token)


def shown(monkeypatch, seconds, is_terminal=True):
    """What a loop of four items with a loop inside writes, if a step takes so many seconds."""
    clock = count(0, seconds)
    stream = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with redirect_stderr(stream):
        found = [(item, list(progress.followed(range(2)))) for item in progress.followed(range(4))]
    assert found == [(item, [0, 1]) for item in range(4)]
    return stream.getvalue()


def test_a_bar_shows_after_three_seconds(monkeypatch, call):
    text = shown(monkeypatch, 2)
    bars = [bar for bar in text.split("\r") if "[" in bar]
    assert [bar.split("] ")[1].strip() for bar in bars] == ["25 %", "50 %", "75 %"]
    assert all(bar.startswith("surefoot.plan_runs [") for bar in bars) and text.endswith(" \r")


def test_short_work_files_and_jobs_show_no_bar(monkeypatch, call):
    assert shown(monkeypatch, 2, is_terminal=False) == ""
    assert shown(monkeypatch, 0.5) == ""
    progress.CALL.set("")
    assert shown(monkeypatch, 2) == ""
