"""The protocol card, what is unlike, and how it is told: from plain values alone."""

import pytest

from surefoot.runs.protocol_card import (
    BY_RULE,
    DEFAULT,
    READ,
    TOLD,
    UNSTATED,
    Counts,
    cards,
    contradictions,
    differences,
    methods_sentence,
    selection_sentence,
    unfinished,
    unlike_fields,
    unlike_remark,
)

EVALUATED = {"kind": "eval", "logged": "mean", "quantity": "return", "metric": "results", "episodes": 10}
EVALUATED |= {"deterministic": True, "steps": 1_000_000, "evaluations": 100, "tool": "Stable-Baselines3"}
EVALUATED |= {"defaults": ["deterministic"], "unit": "environment steps"}
TRAINED = {"kind": "train", "logged": "running_mean", "quantity": "return", "metric": "r", "episodes": 100}


def unlike(*protocols):
    return unlike_fields(list(cards({"logs": {str(place): one for place, one in enumerate(protocols)}}).values()))


def test_who_says_so():
    told = {"logs": {"ppo": EVALUATED, "sac": EVALUATED}, "rule": "window(0.1)", "quantity": "success rate"}
    found = cards(told | {"algorithms": {"sac": {"deterministic": False}}})
    assert found["ppo"]["episodes"] == (10, READ) and found["ppo"]["quantity"] == ("success rate", TOLD)
    assert found["ppo"]["deterministic"] == (True, DEFAULT) and found["sac"]["deterministic"] == (False, TOLD)
    assert found["ppo"]["rule"] == ("window(0.1)", BY_RULE) and found["ppo"]["checkpoint"] == ("last", BY_RULE)
    assert cards({}, ["ppo"])["ppo"]["kind"] == (None, UNSTATED)
    assert contradictions(told | {"deterministic": False}) == [
        ("ppo", "quantity", "success rate", "return"),
        ("sac", "quantity", "success rate", "return"),
    ], "what is only the tool's default may be told otherwise"


@pytest.mark.parametrize(
    ("other", "fields"),
    [
        ({}, []),
        ({"tool": "CleanRL", "evaluations": 7}, []),
        ({"episodes": 5}, ["episodes"]),
        ({"episodes": 8, "most_episodes": 12}, []),
        ({"episodes": 11, "most_episodes": 12}, ["episodes"]),
        ({"deterministic": False}, ["deterministic"]),
        ({"deterministic": None}, []),
        ({"steps": 960_000}, []),
        ({"steps": 940_000}, ["steps"]),
        ({"steps": 1_000_000, "most_steps": 2_000_000}, ["steps"]),
        ({"metric": "eval/mean_reward"}, ["metric"]),
        (TRAINED, ["kind", "logged", "metric", "episodes"]),
    ],
)
def test_what_makes_protocols_unlike(other, fields):
    """Within five percent of the steps they are alike, and what nobody states is not unlike."""
    assert unlike(EVALUATED, {**EVALUATED, **other}) == fields == unlike({**EVALUATED, **other}, EVALUATED)


def test_differences_name_algorithms_that_are_alike_together():
    found = cards({"logs": {"ppo": EVALUATED, "sac": EVALUATED | TRAINED, "td3": EVALUATED}})
    fields = unlike_fields(list(found.values()))
    told = differences(found, fields)
    assert told == (
        "ppo, td3: mean returns of 10 deterministic evaluation episodes, metric results; "
        "sac: running means of the returns of the last 100 deterministic training episodes, metric r"
    )
    assert told in unlike_remark({"logs": {"ppo": EVALUATED, "sac": EVALUATED | TRAINED, "td3": EVALUATED}})
    assert unlike_remark({"logs": {"ppo": EVALUATED, "td3": EVALUATED}}) == ""


def test_the_methods_sentence_says_what_is_unlike_and_usual():
    protocol = {"rule": "last", "logs": {"a": EVALUATED, "b": TRAINED | {"tool": "RLlib", "defaults": ["episodes"]}}}
    told = methods_sentence(protocol, {"a": "A", "b": "B"}, Counts(1, 3, ["Ant-v4"]))
    assert told == (
        "Scores of A are mean returns of 10 deterministic evaluation episodes, taken at the end of 1,000,000 "
        "environment steps; scores of B are running means of the returns of the last 100 training episodes, taken at "
        "the end of training; 1 to 3 runs (seeds) of each algorithm in Ant-v4, logged by "
        "Stable-Baselines3 and RLlib. By the tool's default, not stated in the logs: the number of episodes of "
        "each score, whether the policy is deterministic."
    )
    assert methods_sentence({}, {"a": "a"}) == "It is not stated how scores were computed."
    many = {f"a{number}": EVALUATED | {"ended_early": 1, "short_runs": "drop"} for number in range(25)}
    told = methods_sentence({"rule": "last", "logs": many | {"b": TRAINED}}, {name: name for name in (*many, "b")})
    assert "a23 and a24 are mean returns" in told, "each is in one of the lists"
    assert "1 of a23 and 1 of a24)" in unfinished({"logs": many}, {})
    reached = methods_sentence({"logs": {"a": {**EVALUATED, "defaults": []}}, "rule": "steps_to(200)"}, {"a": "a"})
    unsaid = methods_sentence({"logs": {"a": {**EVALUATED, "unit": None}}}, {"a": "a"})
    assert "in the course of 1,000,000 steps" in unsaid
    assert reached.startswith(
        "Scores are the environment steps (at most 1,000,000 environment steps) after which mean returns of 10 "
    )


def test_trainings_that_end_some_steps_apart_are_told_together():
    """Unless one is so much shorter that they are unlike."""
    ends = {"ppo": (200_500, 200_870), "td3": (200_638, 200_883), "short": (100_000, 100_400)}
    logs = {
        name: TRAINED | {"steps": least, "most_steps": most, "unit": "frames"} for name, (least, most) in ends.items()
    }
    told = methods_sentence({"logs": {name: logs[name] for name in ("ppo", "td3")}}, {"ppo": "PPO", "td3": "TD3"})
    assert told.startswith("Scores are running means") and "200,500 to 200,883 frames" in told
    told = methods_sentence({"logs": logs}, {"ppo": "PPO", "td3": "TD3", "short": "S"})
    assert "100,000 to 100,400" in told and "200,638 to 200,883" in told


def test_selected_scores_are_said_to_be_too_high():
    assert selection_sentence({"rule": "best"}).startswith("Scores are selected maxima, which are too high")
    assert "evaluated again" in selection_sentence({"rule": "absolute"})
    assert selection_sentence({"rule": "last"}) == selection_sentence({}) == selection_sentence({"rule": "mine"}) == ""
