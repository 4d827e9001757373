"""What the terminal says of a protocol, and what a study's file keeps of it."""

import pandas as pd
import pytest
import yaml

from surefoot.cli.protocols import (
    WRITTEN_ANEW,
    protocol_lines,
    protocol_text,
    renew_protocols,
    rounded,
    told_in_study,
    unstated_hint,
    with_rule,
)

READ = {"kind": "eval", "logged": "mean", "episodes": 10, "quantity": "return"}


@pytest.fixture
def file(tmp_path):
    """A study's file as a report writes it."""
    head = yaml.safe_dump({"studies": {"mine": {"title": "Mine"}}}, sort_keys=False)
    path = tmp_path / "study.yaml"
    path.write_text(head + protocol_text({"rule": "last", "logs": {"ppo": READ}}, "error"))
    return path


def test_a_study_keeps_what_its_author_tells_and_gets_what_the_logs_say(file):
    assert yaml.safe_load(file.read_text())["studies"]["mine"] == {
        "title": "Mine",
        "protocol": {"unlike": "error", "rule": "last", "logs": {"ppo": READ}},
    }
    file.write_text(file.read_text().replace("unlike: error", "unlike: remark  # mine\n      deterministic: true"))
    newer = {"rule": "window(0.1)", "logs": {"ppo": READ | {"steps": 5}, "<i>: #": READ}}
    assert renew_protocols(file, [newer])
    assert "unlike: remark  # mine" in file.read_text()
    assert yaml.safe_load(file.read_text())["studies"]["mine"]["protocol"] == (
        {"unlike": "remark", "deterministic": True} | newer
    )
    assert told_in_study(file, "mine") == {"unlike": "remark", "deterministic": True}


def test_a_study_without_the_place_is_left_as_it_is(file):
    file.write_text(file.read_text().replace(WRITTEN_ANEW, "# my own words"))
    before = file.read_text()
    assert not renew_protocols(file, [{"rule": "best", "logs": {}}]) and file.read_text() == before


def test_each_study_of_a_file_gets_its_own(file):
    other = "  other:\n    title: Other\n" + protocol_text({"rule": "last", "logs": {"sac": READ}}, "error")
    file.write_text(file.read_text() + other)
    newer = [{"rule": "auc", "logs": {"ppo": READ}}, {"rule": "best", "logs": {"sac": READ, "td3": READ}}]
    assert renew_protocols(file, newer)
    studies = yaml.safe_load(file.read_text())["studies"]
    assert studies["other"]["title"] == "Other" and list(studies) == ["mine", "other"]
    assert [study["protocol"] for study in studies.values()] == [{"unlike": "error"} | one for one in newer]
    before = file.read_text()
    assert not renew_protocols(file, [*newer, {"logs": {}}]) and file.read_text() == before


def test_what_nobody_states_may_be_told():
    assert unstated_hint({"logs": {"ppo": READ}}).endswith("protocol: {deterministic: true}")
    assert unstated_hint({"logs": {"ppo": READ}, "deterministic": False}) == ""
    assert unstated_hint({"logs": {"ppo": {"kind": "train", "logged": "episode"}}}) == "", "training explores"
    assert unstated_hint({"logs": {"ppo": {}}}).endswith("{kind: eval, deterministic: true, episodes: 10}")


def test_the_lines_of_the_terminal():
    runs = pd.DataFrame({"algorithm": ["ppo"] * 4, "environment": ["x", "x", "y", "y"], "run": [1, 2, 1, 1]})
    (line,) = protocol_lines({"logs": {"ppo": READ}, "deterministic": True}, runs)
    assert line == (
        "what a score is: Scores are mean returns of 10 deterministic evaluation episodes; 1 to 2 runs (seeds) of each "
        "algorithm in each of 2 environments."
    )
    unlike = protocol_lines({"logs": {"ppo": READ, "sac": READ | {"episodes": 5}}}, runs)
    assert unlike[1].startswith(
        "remark: These algorithms were scored under different protocols (ppo: evaluation, mean of 10"
    )


def test_biases_are_kept_of_selected_maxima_alone():
    rows = [("ppo", "x", run, step, score) for run in (1, 2) for step, score in enumerate((1.0, 3.0 + run, 1.0))]
    curves = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    read = {"logs": {"ppo": READ}}
    assert "selection_bias" not in with_rule(read, "last", curves)["logs"]["ppo"]
    found = with_rule(read, "best", curves)
    # (4 - 1) and (5 - 1), each by two thirds
    assert found["rule"] == "best" and found["logs"]["ppo"]["selection_bias"]["bias"] == pytest.approx(7 / 3, rel=1e-3)
    assert rounded({"a": {"bias": 0.123456, "unit": "points"}}) == {"a": {"bias": 0.1235, "unit": "points"}}
