"""Cells of scores that are no numbers."""

import json

import pytest
from support.read_folders import BY_FOLDERS, read_folder, told
from support.write_logs import write_text

import surefoot


def test_a_cell_that_is_no_number_leaves_the_run_its_score(tmp_path):
    for run, cell in ((1, "2"), (2, "x")):
        text = f"time/total_timesteps,eval/mean_reward\n10,1\n20,{cell}\n30,3\n"
        write_text(tmp_path / "ppo" / "Ant" / str(run) / "progress.csv", text)
    assert '2/progress.csv: the eval/mean_reward "x" is not a number' in told(tmp_path, pattern=BY_FOLDERS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("runs.csv", "algorithm,environment,run,step,score\na,e,0,10,1\na,e,0,20,oops\na,e,1,10,2\na,e,1,20,3\n"),
        (
            "runs.json",
            json.dumps([{"algo": "a", "env": "e", "run": str(score), "score": score} for score in (1, "oops", 3)]),
        ),
        (
            "marl.json",
            json.dumps({"e": {"t": {"a": {"0": {"step_0": {"step_count": 1, "return": [1, "oops", 3]}}}}}}),
        ),
    ],
    ids=["csv", "records", "episodes"],
)
def test_a_text_among_scores_is_refused_until_it_is_dropped(tmp_path, name, text):
    write_text(tmp_path / name, text)
    sentence = told(tmp_path)
    assert '"oops" is not a number' in sentence and "--invalid-scores drop" in sentence
    found = read_folder(tmp_path, invalid_scores="drop")
    account = surefoot.reading_account(found.table)
    assert account.loc[account["outcome"] == "left out", ["reason", "rows"]].to_numpy().tolist() == [
        ["not a number", 1]
    ]
    assert "oops" in found.remarks[0]
    assert found.table.attrs.get("unfinished", []) == ([["a", "e", "oops"]] if name == "runs.json" else [])
