"""A run killed at any moment leaves nothing half-written, and the next ends with the bytes of an undisturbed one."""

import contextlib
import os
import random
import signal
import subprocess
import time

import pytest

pytestmark = pytest.mark.workflow

KILLS = 8


def assert_whole(checkout, undisturbed):
    """Every result that is in place is whole: it has the bytes of the undisturbed run, or can be read."""
    for path, content in checkout.results().items():
        if path.startswith(".partial/"):
            continue
        assert content == undisturbed[path], path


@pytest.mark.long
def test_kills_at_random_moments(built, fresh):
    undisturbed = built.results()
    checkout = fresh
    moments = random.Random(20)
    killed_in_a_job = 0
    for _ in range(KILLS):
        run = subprocess.Popen(
            **checkout.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moments.uniform(3.0, 9.0))
        jobs_ran = subprocess.run(
            ["pgrep", "-g", str(run.pid), "-f", "python -m surefoot"], capture_output=True, check=False
        )
        killed_in_a_job += bool(jobs_ran.stdout)
        ended_by_itself = run.poll() is not None
        with contextlib.suppress(ProcessLookupError):  # it ended by itself
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        assert_whole(checkout, undisturbed)
        if ended_by_itself:
            # All was done: begin again, from the empty store.
            for folder in ("entries", "blobs"):
                subprocess.run(["rm", "-rf", checkout.store / folder], check=True)
            subprocess.run(["rm", "-rf", checkout.folder / "results"], check=True)
    assert killed_in_a_job >= KILLS // 4
    checkout.run()
    final = checkout.results()
    assert not any(path.startswith(".partial/") for path in final)
    assert final == undisturbed
