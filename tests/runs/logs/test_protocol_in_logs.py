"""What a score is, as the logs of the tools tell it."""

import numpy as np
import pandas as pd
import pytest
from support.read_folders import BY_FOLDERS, read_folder
from support.write_logs import write_evaluations, write_json, write_monitor, write_text, write_zoo

import surefoot
from surefoot.cli.commands import main
from surefoot.errors import InputError
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs, refuse_unlike
from surefoot.runs.protocol_card import methods_sentence, unfinished


def logged(folder, **asked):
    return protocols_in_logs(read_folder(folder, **asked).table)


def test_evaluations_count_episodes_and_are_deterministic(tmp_path):
    write_evaluations(tmp_path / "ppo" / "Ant" / "1" / "evaluations.npz", [100, 250], np.ones((2, 7)))
    write_evaluations(tmp_path / "ppo" / "Hopper" / "1" / "evaluations.npz", [400], np.ones((1, 7)))
    assert logged(tmp_path, pattern=BY_FOLDERS) == {
        "ppo": {"kind": "eval", "logged": "mean", "metric": "results", "tool": "Stable-Baselines3"}
        | {"quantity": "return", "episodes": 7, "deterministic": True, "steps": 250, "most_steps": 400}
        | {"unit": "environment steps"}
        | {"evaluations": 1, "most_evaluations": 2, "defaults": ["deterministic"]}
    }


def test_monitor_files_are_single_episodes_of_training(tmp_path):
    write_monitor(tmp_path / "ppo" / "Ant" / "1" / "0.monitor.csv", [(5, 10, 1.0), (7, 10, 2.0)])
    (found,) = logged(tmp_path, pattern=BY_FOLDERS).values()
    assert (found["kind"], found["logged"], found["metric"]) == ("train", "episode", "r")
    assert "episodes" not in found and "deterministic" not in found and found["steps"] == 20


def test_evaluations_of_the_zoo_are_not_said_to_be_deterministic(tmp_path):
    """By default those of Atari games are not."""
    write_zoo(tmp_path, "a2c", "PongNoFrameskip-v4", 1, 1)
    assert "deterministic" not in logged(tmp_path)["a2c"]


def test_another_metric_is_no_return(tmp_path):
    write_evaluations(tmp_path / "ppo" / "Ant" / "1" / "evaluations.npz", [1], [[1.0]], successes=[[True]])
    (found,) = logged(tmp_path, pattern=BY_FOLDERS, metric="successes").values()
    assert found["quantity"] == found["metric"] == "successes"


def test_a_table_tells_what_its_columns_tell(tmp_path):
    rows = [("a", "x", 1, 10, 1.0, 1, "eval"), ("b", "x", 1, 10, 1.0, 4, "eval")]
    names = ["algorithm", "environment", "run", "step", "score", "episodes", "kind"]
    pd.DataFrame(rows, columns=names).to_csv(tmp_path / "t.csv", index=False)
    found = logged(tmp_path / "t.csv")
    assert found["a"] == {"kind": "eval", "metric": "score", "quantity": "score", "steps": 10, "evaluations": 1}
    assert found["b"] == found["a"] | {"logged": "mean", "episodes": 4}


def test_unlike_lengths_of_training_are_refused(tmp_path):
    for algorithm, last in (("ppo", 1000), ("sac", 500)):
        steps = np.arange(100, last + 1, 100)
        write_evaluations(tmp_path / algorithm / "Ant" / "1" / "evaluations.npz", steps, np.ones((steps.size, 3)))
    table = read_folder(tmp_path, pattern=BY_FOLDERS).table
    with pytest.raises(InputError) as caught:
        refuse_unlike("runs", {"logs": protocols_in_logs(table)})
    assert "evaluation episodes, steps 1,000; sac: " in caught.value.what and "steps 500" in caught.value.what
    assert "--short-runs truncate_to_shortest" in caught.value.hint
    refuse_unlike("runs", {"logs": protocols_in_logs(table, "truncate_to_shortest")})


def test_lengths_are_compared_where_all_algorithms_were_trained():
    """An environment that one algorithm alone has is no reason to refuse the others."""
    rows = [("ppo", "x", 1, 100), ("sac", "x", 1, 100), ("ppo", "y", 1, 5000)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step"]).assign(score=1.0)
    refuse_unlike("runs", {"logs": protocols_in_logs(table)})
    with pytest.raises(InputError, match="steps 5,000"):
        refuse_unlike("runs", {"logs": protocols_in_logs(table[1:])})


def test_a_table_that_was_written_keeps_the_card_of_its_logs(tmp_path):
    write_evaluations(tmp_path / "runs" / "ppo" / "Ant" / "1" / "evaluations.npz", [10, 20], np.ones((2, 3)))
    out = str(tmp_path / "table.parquet")
    assert main(["read", str(tmp_path / "runs"), "--pattern", BY_FOLDERS, "-o", out]) == 0
    assert logged(tmp_path / "table.parquet") == logged(tmp_path / "runs", pattern=BY_FOLDERS)
    again = read_folder(tmp_path / "table.parquet").table
    assert again.attrs["format"] == "table" and again.attrs["logged_as"] == "stable_baselines3_evaluations"
    plain = pd.read_parquet(out)
    for attrs in ({"format": 7, "metrics": "none"}, {"format": [7], "metrics": {"ppo": [1]}}):
        plain.attrs = attrs
        plain.to_parquet(out)
        assert "tool" not in logged(tmp_path / "table.parquet")["ppo"], "what anybody else writes there is no card"


def test_the_card_of_the_library(tmp_path):
    write_json(
        tmp_path / "m.json", {"env": {"task": {"ppo": {"seed_1": {"step_0": {"step_count": 8, "return": [1, 2]}}}}}}
    )
    card = surefoot.protocol_card(read_folder(tmp_path).table).set_index("field")
    assert card.loc["episodes", ["value", "origin"]].tolist() == ["2", "read from the logs"]
    assert card.loc["deterministic", ["value", "origin"]].tolist() == ["", "not stated in the logs"]
    assert card.loc["steps", "value"] == "8" and card.loc["tool", "value"] == ""


@pytest.mark.parametrize(("header", "kind"), [("score", None), ("score,kind", "eval"), ("eval/return", "eval")])
def test_a_table_need_not_say_what_its_scores_are_of(tmp_path, header, kind):
    rows = "".join(f"{name},x,{run},{run}{',eval' if 'kind' in header else ''}\n" for name in "ab" for run in range(2))
    write_text(tmp_path / "runs.csv", f"algorithm,environment,run,{header}\n{rows}")
    asked = {} if header.startswith("score") else {"metric": header}
    if not header.startswith("score"):  # which names no score is no long table otherwise
        write_text(
            tmp_path / "runs.csv", f"algorithm,environment,run,score,{header}\n{rows.replace(chr(10), ',1' + chr(10))}"
        )
    assert logged(tmp_path, **asked)["a"].get("kind") == kind


@pytest.mark.parametrize(
    ("short_runs", "said"),
    [
        ("worst_score", "(1 of ppo); each has the worst score of any run in its environment."),
        ("drop", "(1 of ppo); they are left out, which favours an algorithm whose bad runs end early."),
        ("carry_forward", "(1 of ppo); their last scores are kept to the end."),
        ("truncate_to_shortest", "(1 of ppo); all runs of an environment are scored up to where its shortest ended"),
    ],
)
def test_short_runs_are_named_with_what_became_of_them(short_runs, said):
    rows = [(name, "x", run, step, 1.0) for name in ("ppo", "sac") for run in (1, 2) for step in (50, 100)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    assert unfinished({"logs": protocols_in_logs(table, short_runs)}, {}) == ""
    table = table.drop(index=1)  # the first run of ppo ends at 50
    found = protocols_in_logs(table, short_runs)
    assert found["ppo"]["ended_early"] == 1 and "ended_early" not in found["sac"]
    assert said in unfinished({"logs": found}, {})


@pytest.mark.parametrize(
    ("short_runs", "said"),
    [
        (
            "worst_score",
            "(1 of ppo) or left no score (2 of sac); each has the worst score of any run in its environment.",
        ),
        ("drop", "(1 of ppo) or left no score (2 of sac); they are left out, which favours an algorithm whose bad"),
        (
            "carry_forward",
            "(1 of ppo); their last scores are kept to the end. Some runs left no score (2 of sac) and are",
        ),
    ],
)
def test_runs_without_a_score_are_named_beside_short_ones(short_runs, said):
    rows = [(name, "x", run, step, 1.0) for name in ("ppo", "sac") for run in (1, 2) for step in (50, 100)]
    table = pd.DataFrame(rows[:1] + rows[2:], columns=["algorithm", "environment", "run", "step", "score"])
    table.attrs["unfinished"] = [["sac", "x", "3"], ["sac", "x", "4"]]
    found = protocols_in_logs(table, short_runs)
    assert said in unfinished({"logs": found}, {})
    alone = unfinished({"logs": {"sac": found["sac"]}}, {})
    assert "Some runs left no score (2 of sac)" in alone and "ended" not in alone


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("return", "Scores are returns."),
        ("success_rate", "Scores are success rates."),
        ("score", "It is not stated how"),
    ],
)
def test_a_success_rate_is_not_called_a_return(tmp_path, column, said):
    lines = [f"algorithm,environment,run,{column}", *(f"{name},x,{run},{run % 2}" for name in "ab" for run in range(3))]
    (tmp_path / "final.csv").write_text("\n".join(lines))
    table = surefoot.read_runs(tmp_path / "final.csv")
    assert methods_sentence({"logs": protocols_in_logs(table)}, {}).startswith(said)
