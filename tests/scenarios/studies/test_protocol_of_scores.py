"""What a study says of its scores: what is refused before any job runs, and what the page gets."""

import csv
from pathlib import Path

import pytest
from support.one_study import draw, make, planned, refused
from support.paths import ROOT

from surefoot.errors import InputError

READ = {"kind": "eval", "logged": "mean", "episodes": 10, "deterministic": True, "defaults": ["deterministic"]}
LOGS = {"ppo": READ, "sac": READ}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study of scores of two algorithms, three runs of each in two environments, with a protocol."""
    pages = ROOT / "reports"
    monkeypatch.chdir(tmp_path)
    Path("reports").symlink_to(pages)
    rows = [(a, e, r, r + len(a + e)) for a in ("ppo", "sac") for e in ("x", "yy") for r in range(3)]
    with Path("scores.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("algorithm", "environment", "run", "score"), *rows])

    def with_protocol(**protocol):
        sources = {"runs": {"kind": "score_table", "file": "scores.csv"}}
        return {"sources": sources, "questions": {"rank_probabilities": {}}, "protocol": protocol}

    return with_protocol


def drawn(study):
    """The rows of the sentences and of the card."""
    jobs = planned(study)
    make(jobs, lambda job: job.stage not in ("draw", "render", "cover"))
    made = draw(jobs, "protocol", "table_protocol")
    return [list(csv.DictReader(made[name].read_text().splitlines())) for name in ("protocol", "table_protocol")]


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        (
            {"kind": "evaluation"},
            "protocol.kind: 'evaluation' is not allowed. Hint: it must be 'eval', 'train' or 'absolute'",
        ),
        ({"determinstic": True}, 'protocol.determinstic: unknown key. Hint: did you mean "deterministic"?'),
        ({"episodes": 0}, "protocol.episodes: 0 is not allowed. Hint: it must be greater than or equal to 1"),
        (
            {"logs": LOGS, "algorithms": {"spo": {"kind": "eval"}}},
            'protocol.algorithms.spo: "spo" is not an algorithm of the logs. Hint: did you mean "ppo"?',
        ),
        (
            {"logs": LOGS, "episodes": 20},
            "protocol.episodes: 20 is stated for ppo, but its logs say 10. Hint: remove it: the page shows",
        ),
        (
            {"most_episodes": 4},
            "protocol.most_episodes: episodes is missing. Hint: set episodes to at most 4",
        ),
        (
            {"episodes": 5, "most_episodes": 4},
            "protocol.most_episodes: 4 is less than episodes. Hint: set episodes to at most 4",
        ),
        (
            {"logs": LOGS, "algorithms": {"sac": {"deterministic": False}}},
            "protocol: runs with different protocols are not compared: ppo: mean scores of 10 deterministic "
            "evaluation episodes; sac: mean scores of 10 evaluation episodes of a stochastic policy. Hint: score all "
            "algorithms alike, or set allow_mixed_protocols: true",
        ),
    ],
)
def test_what_is_refused_before_any_job_runs(study, protocol, said):
    assert said in refused(study(**protocol))


def test_the_page_gets_the_card_and_its_sentences(study):
    sentences, card = drawn(study(logs=LOGS, rule="last", steps=5000, tool="Mine"))
    told = {row["item"]: row["text"] for row in sentences}
    assert told["methods"] == (
        "Scores are mean scores of 10 deterministic evaluation episodes, taken at the end of 5,000 environment steps; "
        "3 runs (seeds) of each algorithm in each of 2 environments, logged by Mine. By the tool's default, "
        "not stated in the logs: whether the policy is deterministic."
    )
    assert told["remark"] == told["mark"] == ""
    shown = {row["what"]: (row["algorithms"], row["value"], row["origin"]) for row in card}
    assert shown["Logged by"] == ("all", "Mine", "stated by the author")
    assert shown["Episodes of"] == ("all", "evaluation", "read from the logs")
    assert "Name in the logs" not in shown and "Name in the logs" in shown["Not stated"][1].split("; ")
    assert shown["Runs (seeds) in each environment"] == ("all", "3", "counted in the scores")


def test_a_comparison_that_was_asked_for_carries_the_remark(study):
    sentences, card = drawn(study(logs=LOGS, algorithms={"sac": {"deterministic": False}}, allow_mixed_protocols=True))
    told = {row["item"]: row["text"] for row in sentences}
    assert "ppo: mean scores of 10 deterministic evaluation episodes; sac" in told["remark"] and told["mark"]
    rows = [(row["algorithms"], row["value"]) for row in card if row["what"] == "Deterministic policy"]
    assert rows == [("ppo", "yes"), ("sac", "no")]


def test_a_study_that_says_nothing_has_no_card(study):
    silent = study()
    del silent["protocol"]
    assert not [job for job in planned(silent) if "table_protocol.csv" in job.outputs]


def test_algorithms_that_the_table_does_not_have_are_refused(study):
    (reading,) = (job for job in planned(study(algorithms={"saac": {"kind": "eval"}})) if job.stage == "collect")
    with pytest.raises(InputError) as caught:
        make([reading])
    assert str(caught.value) == (
        'protocol.algorithms.saac: no algorithm "saac" in scores.csv. Hint: did you mean "sac"?'
    )
