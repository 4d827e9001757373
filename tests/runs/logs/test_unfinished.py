"""Files without scores beside scores, and jobs that left none."""

import json

from support.read_folders import BY_FOLDERS, read_folder
from support.write_logs import write_json_lines, write_text

import surefoot


def test_a_run_without_evaluations_in_json_is_not_lost(tmp_path):
    whole = {"step_0": {"step_count": 10, "mean_episode_return": [1.0, 2.0]}}
    content = {"Ant": {"walk": {"mappo": {"seed_0": whole, "seed_1": {}}}}}
    write_text(tmp_path / "metrics.json", json.dumps(content))
    table = read_folder(tmp_path).table
    assert table.attrs["unfinished"] == [["mappo", "Ant/walk", "1"]]


def test_a_file_without_scores_beside_scores_is_no_lost_job(tmp_path):
    """Dreamer writes metrics.jsonl next to scores.jsonl. An empty log is unfinished; a table of notes is not a log."""
    for run in (1, 2):
        folder = tmp_path / "dreamer" / "walker" / str(run)
        write_json_lines(
            folder / "scores.jsonl", [{"step": 10, "episode/score": 1.0}, {"step": 20, "episode/score": 2.0}]
        )
        write_json_lines(folder / "metrics.jsonl", [{"step": 10, "train/loss": 1.0}])
    write_text(tmp_path / "dreamer" / "walker" / "3" / "scores.jsonl", "")
    write_text(tmp_path / "notes.csv", "when,what\ntoday,nothing\n")
    table = read_folder(tmp_path, pattern=BY_FOLDERS).table
    account = surefoot.reading_account(table)
    outcomes = dict(zip(account["file"], account["outcome"], strict=True))
    assert outcomes["dreamer/walker/1/metrics.jsonl"] == outcomes["notes.csv"] == "other file"
    assert outcomes["dreamer/walker/3/scores.jsonl"] == "left out"
    assert table.attrs["unfinished"] == [["dreamer", "walker", "3"]] and "unnamed_jobs" not in table.attrs
