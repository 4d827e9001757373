"""What a job took is told by pieces, with the compiling of kernels apart, and kept beside the store's results."""

import os
import time

from surefoot.build.canonical import canonical_json
from surefoot.build.job import Job, specification
from surefoot.build.runner import run_job
from surefoot.build.spending import Meter

WORK = """
import time

def spend(seconds):
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass

def work(task):
    for number, seconds in enumerate(task.settings["seconds"]):
        def compute(path, seconds=seconds):
            spend(seconds)
            path.write_text(str(seconds))
        task.unit("piece", {"number": number, "seconds": seconds}, {}, compute, task.outputs["out"])
    spend(task.settings["beside"])
"""


def job(folder, seconds, beside):
    (folder / "spending.py").write_text(WORK)
    settings = {"seconds": seconds, "beside": beside}
    made = Job("estimate", "mine", "it", "spending.py:work", settings, (), {}, {"out": "results/estimate/mine/it.txt"})
    path = folder / made.spec
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(canonical_json(specification(made)))
    return path


def test_the_pieces_and_the_rest_of_a_job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    before = sum(os.times()[:4])
    spent = run_job(job(tmp_path, [0.3, 0.1], 0.2))
    assert [piece.settings["number"] for piece in spent.pieces] == [0, 1]
    first, second = (piece.seconds for piece in spent.pieces)
    assert 0.28 <= first < 0.5 and 0.08 <= second < 0.3
    assert 0.2 - 1e-6 <= spent.other - before < 3.0  # of sums of clocks
    assert spent.compiling == 0
    assert run_job(job(tmp_path, [0.3, 0.1], 0.2)) is None  # from the store
    again = run_job(job(tmp_path, [0.3, 0.1, 0.15], 0.0))
    assert [piece.settings["number"] for piece in again.pieces] == [2]


def test_compiling_is_counted_apart():
    from numba import njit

    meter = Meter()
    try:
        worked = meter.working()
        begun = time.thread_time()

        @njit
        def inner(number):
            return number * 2

        @njit
        def kernel(number):
            total = 0
            for i in range(number):
                total += inner(i)
            return total

        assert kernel(10) == 90
        took = time.thread_time() - begun
        assert 0.5 * took < meter.compiling() <= took
        assert 0 <= meter.loading() < 0.5 * took
        assert meter.working() - worked < 0.6 * took
    finally:
        meter.close()
    compiled = meter.compiling()
    njit(lambda x: x + 1)(1)
    assert meter.compiling() == compiled
