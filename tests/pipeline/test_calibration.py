"""Estimates follow what was measured: of the same work, else of similar work, and the more the more there was of it."""

import pytest

from surefoot.build.job import Job
from surefoot.build.kept_costs import costs_folder, keep_costs, read_costs
from surefoot.build.spending import Piece, Spent
from surefoot.pipeline.calibration import SHIPPED, calibrated, calibration, is_compiled, note_spent
from surefoot.pipeline.charges import Charge, charge_of_piece, charges

CELL = {"algorithm": "ppo", "environment": "cart_pole", "first": 0, "trials": 90, "block": 50}
SIMULATING = Job(
    *("simulate", "mine", "ppo", "surefoot.sources.trials.simulating:simulate"),
    {"seed": 1, "cells": {"ppo.cart_pole": CELL}},
    (),
    {},
    {"runs": "results/simulate/mine/ppo.parquet"},
)


def noted(*charges_, work="mine", **more):
    return {"charges": [list(one) for one in charges_], "work": work, "megabytes": 300} | more


def known(*costs):
    return calibrated(costs, lambda folder: True)


def test_where_nothing_was_measured_the_shipped_seconds_hold():
    assert SHIPPED.seconds(Charge(("trial", "ppo", "cart_pole"), 12.0)) == 12.0
    assert known().seconds(Charge(("trial", "ppo", "cart_pole"), 12.0)) == 12.0


def test_much_work_decides_and_little_leans_on_what_is_similar():
    many = [["trial", "ppo", "cart_pole"], 100.0, 300.0, 1000]
    one = [["trial", "ppo", "acrobot"], 3.0, 30.0, 1]
    found = known(noted(many, one))
    assert found.seconds(Charge(("trial", "ppo", "cart_pole"), 10.0)) == pytest.approx(30.0, rel=0.01)
    assert 30.0 < found.seconds(Charge(("trial", "ppo", "acrobot"), 10.0)) < 60.0  # measured: 100
    assert found.seconds(Charge(("trial", "ppo", "chain"), 10.0)) == pytest.approx(32.0, rel=0.1)
    assert found.seconds(Charge(("trial", "new", "chain"), 10.0)) == pytest.approx(30.0)
    assert found.seconds(Charge(("play", "bamcp"), 10.0)) == 10.0


def test_what_is_done_but_once_in_a_job_does_not_count_as_many_trials():
    """A block of a few milliseconds that took a second of imports says nothing of ten thousand trials."""
    found = known(noted([["trial", "ac", "chain"], 0.002, 1.0, 20], [["trial", "ac", "acrobot"], 50.0, 50.0, 80]))
    assert found.seconds(Charge(("trial", "ac", "chain"), 1.0)) < 3.5


def test_the_latest_measurements_count_once_they_are_many():
    slow, fast = ([["trial", "q", "chain"], 400.0, seconds, 1000] for seconds in (4000.0, 400.0))
    assert known(noted(fast), noted(slow)).seconds(Charge(("trial", "q", "chain"), 1.0)) == pytest.approx(1.0)


def test_damaged_costs_are_left_out(tmp_path):
    keep_costs(tmp_path, "a" * 64, noted([["trial", "q", "chain"], 10.0, 50.0, 1000]))
    for name, content in (("b", b"{"), ("c", b"[]"), ("d", b'{"charges": [1], "work": "x"}'), ("e", b"\xff")):
        (costs_folder(tmp_path) / (name * 64)).write_bytes(content)
    assert len(list(read_costs(tmp_path))) == 2
    assert calibration(tmp_path).seconds(Charge(("trial", "q", "chain"), 1.0)) == pytest.approx(5.0)


def test_a_job_leaves_what_each_of_its_cells_took(tmp_path):
    settings = CELL | {"seed": 1}
    spent = Spent(
        "f" * 64, [Piece("simulate.block", settings, 70.0), Piece("simulate.block", settings, 80.0)], 9.0, 2.0, 321, 9
    )
    note_spent(tmp_path, SIMULATING, spent)
    (costs,) = read_costs(tmp_path)
    by_name = {tuple(name): sums for name, *sums in costs["charges"]}
    assert by_name["trial", "ppo", "cart_pole"] == [100 * 0.5, 150.0, 100]
    assert by_name["compile", "simulating:simulate", "ppo"][1] == 9.0
    assert by_name["job", "simulate", "simulating:simulate", "mine", "ppo"][1] == 2.0
    assert sum(sums[1] for sums in by_name.values()) == 150.0 + 9.0 + 2.0
    found = calibration(tmp_path)
    (charge,) = charges(SIMULATING)
    assert found.seconds(charge) == pytest.approx(150.0, rel=0.05)
    assert found.memory == {SIMULATING.work: 321}


def test_kernels_count_as_compiled_only_where_they_are(tmp_path):
    note_spent(tmp_path, SIMULATING, Spent("f" * 64, [], 9.0, 2.0, 321, 9))
    costs = list(read_costs(tmp_path))
    assert is_compiled(SIMULATING, calibrated(costs, lambda folder: True))
    assert not is_compiled(SIMULATING, calibrated(costs, lambda folder: False))
    of_other_code = [costs[0] | {"kernels": "0" * 32}]
    assert not is_compiled(SIMULATING, calibrated(of_other_code, lambda folder: folder == "0" * 32))
    other = SIMULATING._replace(settings={"cells": {"q": CELL | {"algorithm": "q"}}})
    assert not is_compiled(other, calibrated(costs, lambda folder: folder == costs[0]["kernels"]))


def test_the_pieces_of_a_job_cost_as_much_as_the_job():
    pieces = [charge_of_piece("simulate.block", CELL | {"seed": 1})] * 2
    (whole,) = charges(SIMULATING)
    assert whole.seconds == sum(piece.seconds for piece in pieces)
    assert whole.name == pieces[0].name
