"""Jobs of trials, plays and coverage: blocks that do not overlap, put together to jobs that take long enough."""

import copy
from collections import Counter
from itertools import pairwise

import pytest
from support.paths import ROOT
from support.shipped_configuration import SHIPPED

from surefoot.errors import InputError
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.measured_seconds import SECONDS_OF_A_BATCH
from surefoot.workflow.planning.needs import seconds
from surefoot.workflow.planning.plan import plan

CONFIG = {
    "studies": {
        "small": {
            "title": "Small",
            "sources": {
                "runs": {
                    "kind": "trials",
                    "algorithms": ["sarsa", "q"],
                    "environments": ["chain_10_deterministic"],
                    "trials": 50,
                    "trials_overrides": {"q": 30},
                    "block": 20,
                    "block_overrides": {"chain_10_deterministic": 10},
                },
                "pool": {"kind": "trials", "inherits": "runs", "algorithms": ["sarsa", "q", "ac"], "trials": 400},
            },
            "questions": {
                "tiny": {
                    "kind": "coverage",
                    "source": "pool",
                    "sizes": [10, 30],
                    "datasets": [4, 6],
                    "block": 3,
                    "design": "cut",
                }
            },
        }
    }
}


def skip_checks(config):
    return validate_configuration(config, [])


@pytest.fixture
def jobs(monkeypatch):
    monkeypatch.chdir(ROOT)
    return {(job.stage, job.part): job for job in plan(skip_checks(CONFIG))}


def test_pool_and_runs_share_the_simulation(jobs):
    cells = {part: job.settings["cells"] for (stage, part), job in jobs.items() if stage == "simulate"}
    assert set(cells) == {"sarsa", "q", "ac"}
    assert cells["q"]["q.chain_10_deterministic"]["trials"] == 400
    assert cells["q"]["q.chain_10_deterministic"]["block"] == 10
    rows = jobs["collect", "runs"].settings["rows"]
    assert rows == [("sarsa", "chain_10_deterministic", "sarsa", 50), ("q", "chain_10_deterministic", "q", 30)]
    assert [row[0] for row in jobs["collect", "pool"].settings["rows"]] == ["sarsa", "q", "ac"]
    assert set(jobs["collect", "runs"].inputs) == {"sarsa", "q"}


def test_pieces_of_a_pool_do_not_overlap(jobs):
    small, large = jobs["cover", "tiny.10"].settings, jobs["cover", "tiny.30"].settings
    assert (small["start"], small["datasets"]) == (0, 4)
    assert (large["start"], large["datasets"]) == (40, 6)
    assert set(jobs["cover", "tiny"].inputs) == {"tiny.10", "tiny.30", "pool"}


def test_blocks_of_trials_join_to_jobs_of_some_length(monkeypatch):
    monkeypatch.chdir(ROOT)
    config = copy.deepcopy(CONFIG)
    runs = {
        "batch": "block",
        "environments": ["chain_10_deterministic", "cart_pole"],
        "trials": 20_000,
        "trials_overrides": {},
    }
    config["studies"]["small"]["sources"]["runs"] |= runs | {"block": 500, "block_overrides": {}}
    config["studies"]["small"]["sources"].pop("pool")
    config["studies"]["small"]["questions"] = {}
    jobs = [job for job in plan(skip_checks(config)) if job.stage == "simulate" and job.part.startswith("sarsa.")]
    assert [job.part for job in jobs] == [f"sarsa.{number}" for number in range(4)]
    assert all(seconds(job) >= SECONDS_OF_A_BATCH for job in jobs[:-1])
    assert jobs[0].settings["cells"].keys() == {"sarsa.chain_10_deterministic", "sarsa.cart_pole"}
    pieces = [cell for job in jobs for cell in job.settings["cells"].values() if cell["environment"] == "cart_pole"]
    assert pieces[0]["first"] == 0 and pieces[-1]["first"] + pieces[-1]["trials"] == 20_000
    for one, following in pairwise(pieces):
        assert one["first"] + one["trials"] == following["first"]
    collected = next(job for job in plan(skip_checks(config)) if (job.stage, job.part) == ("collect", "runs"))
    assert {job.outputs["runs"] for job in jobs} <= set(collected.inputs.values())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"sizes": [10, 500]},
            "sizes: data sets of 500 trials are more than the 400 trials of the pool. Hint: choose smaller",
        ),
        ({"datasets": [4]}, "datasets: got 1 number for 2 sizes. Hint: give one number for all, or one for each size"),
        ({"datasets": 40}, "design: 1600 trials are needed to cut all data sets, but the pool has 400. Hint:"),
        ({"methods": ["pbp", "dkw"]}, "methods.1: 'dkw' is not allowed. Hint: use one of pbp"),
    ],
)
def test_mistakes_are_one_sentence(change, message):
    config = copy.deepcopy(CONFIG)
    config["studies"]["small"]["questions"]["tiny"] |= change
    with pytest.raises(InputError) as caught:
        skip_checks(config)
    assert f"studies.small.questions.tiny.{message}" in str(caught.value)


PAPER = ROOT / "config" / "overlays" / "castronovo2016_paper.yaml"


def jobs_of(batch):
    given = read_configuration([*SHIPPED, PAPER])
    given["studies"]["castronovo2016"]["sources"]["runs"]["batch"] = batch
    jobs = plan(validate_configuration(given, SHIPPED))
    return {(job.stage, job.part): job for job in jobs if job.study == "castronovo2016"}


def test_batches_have_each_cell_once_in_order(monkeypatch):
    monkeypatch.chdir(ROOT)
    whole, cut = jobs_of("agent"), jobs_of("cell")
    agents = [part for stage, part in whole if stage == "simulate"]
    assert len(agents) == 8
    for agent in agents:
        parts = [job for (stage, part), job in cut.items() if stage == "simulate" and part.startswith(f"{agent}.")]
        assert [job.part for job in parts] == [f"{agent}.{number}" for number in range(len(parts))]
        cells = [cell for job in parts for cell in job.settings["cells"].items()]
        assert cells == list(whole["simulate", agent].settings["cells"].items())
        assert all(seconds(job) >= SECONDS_OF_A_BATCH for job in parts[:-1])
    collected = cut["collect", "plays"]
    assert collected.settings["parts"] == list(collected.inputs)
    assert Counter(part.partition(".")[0] for part in collected.inputs).keys() == set(agents)
    assert list(dict.fromkeys(part.partition(".")[0] for part in collected.inputs)) == agents
