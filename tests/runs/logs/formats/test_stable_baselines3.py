"""Stable-Baselines3 and its zoo: workers that are no seeds, restarts, files half-written, arguments as data."""

import numpy as np
import pytest
from support.read_folders import BY_FOLDERS, read_folder, rows
from support.write_logs import write_evaluations, write_monitor, write_text, write_zoo

from surefoot.errors import InputError
from surefoot.runs.logs.run_table import COLUMNS


def test_monitor_files_of_a_folder_are_workers_of_one_run(tmp_path):
    """Episodes in the order of t + t_start, steps the sum of the lengths of all workers."""
    run = tmp_path / "ppo" / "3"
    write_monitor(run / "0.monitor.csv", [(1, 10, 1.0), (2, 20, 5.0)], started=100.0)
    write_monitor(run / "1.monitor.csv", [(3, 5, 1.0), (4, 5, 2.0)], started=101.5)
    found = read_folder(tmp_path, pattern="{algorithm}/{seed}")
    assert found.format == "stable_baselines3_monitor" and found.remarks == ()
    assert tuple(found.table.columns) == COLUMNS
    assert rows(found.table, "step", "score") == [(10, 1.0), (15, 3.0), (20, 4.0), (40, 2.0)]
    assert rows(found.table.drop_duplicates("run"), "algorithm", "environment", "run", "kind") == [
        ("ppo", "CartPole-v1", 3, "train")
    ]
    assert set(found.table["source"]) == {"ppo/3/0.monitor.csv"}


def test_a_monitor_file_that_was_appended_to_goes_on(tmp_path):
    """Its times begin again, which would mix the two trainings if all were sorted by them."""
    write_monitor(tmp_path / "a" / "1" / "monitor.csv", [(1, 10, 1.0), (2, 10, 9.0), (7, 10, 0.5), (8, 10, 2.0)])
    found = read_folder(tmp_path, pattern="{algorithm}/{seed}")
    assert found.table["score"].tolist() == [1, 2, 7, 8] and found.table["step"].tolist() == [10, 20, 30, 40]
    assert "were appended to" in found.remarks[0]


@pytest.mark.parametrize("cut", ["3,1", "3,15,2.0", "3"])
def test_a_half_written_line_of_a_monitor_file_is_left_out(tmp_path, cut):
    """Even one with all fields: its last number may lack digits."""
    path = tmp_path / "a" / "1" / "monitor.csv"
    write_monitor(path, [(1, 10, 1.0)])
    path.write_text(path.read_text() + cut)
    found = read_folder(tmp_path, pattern="{algorithm}/{seed}")
    assert found.table["score"].tolist() == [1.0]
    assert found.remarks == (
        "a/1/monitor.csv: its last line is half-written and left out, as is normal while a training is running",
    )


def test_a_run_without_a_complete_episode_is_left_out(tmp_path):
    write_monitor(tmp_path / "a" / "1" / "monitor.csv", [(1, 10, 1.0)])
    write_monitor(tmp_path / "a" / "2" / "monitor.csv", [])
    found = read_folder(tmp_path, pattern="{algorithm}/{seed}")
    assert set(found.table["run"]) == {1} and "a/2/monitor.csv: no complete episode yet" in found.remarks[0]
    (tmp_path / "a" / "1" / "monitor.csv").unlink()
    with pytest.raises(InputError, match="no scores in its files of the format stable_baselines3_monitor"):
        read_folder(tmp_path, pattern="{algorithm}/{seed}")


def test_evaluations_are_averaged_over_their_episodes(tmp_path):
    write_evaluations(
        tmp_path / "ppo/Ant/4/evaluations.npz", [100, 200], [[1, 3], [5, 9]], successes=np.ones((2, 2), bool)
    )
    found = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert rows(found.table, "step", "score", "episodes", "kind") == [(100, 2.0, 2, "eval"), (200, 7.0, 2, "eval")]
    assert read_folder(tmp_path, pattern=BY_FOLDERS, metric="successes").table["score"].tolist() == [1, 1]
    both = read_folder(tmp_path, pattern=BY_FOLDERS, metric=["results", "ep_lengths"]).table
    assert rows(both, "metric", "step", "score") == [
        ("ep_lengths", 100, 1.0),
        ("ep_lengths", 200, 1.0),
        ("results", 100, 2.0),
        ("results", 200, 7.0),
    ]
    with pytest.raises(InputError, match=r'no scores under result\. Hint: did you mean "results"'):
        read_folder(tmp_path, pattern=BY_FOLDERS, metric="result")


def test_evaluations_that_are_half_written_or_hold_objects(tmp_path):
    for seed in (1, 2):
        write_evaluations(tmp_path / f"ppo/Ant/{seed}/evaluations.npz", [100, 200], [[1, 3], [5, 9]])
    whole = (tmp_path / "ppo/Ant/2/evaluations.npz").read_bytes()
    (tmp_path / "ppo/Ant/2/evaluations.npz").write_bytes(whole[: len(whole) // 2])
    found = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert set(found.table["run"]) == {1} and "ppo/Ant/2/evaluations.npz: incomplete and left out" in found.remarks[0]
    ragged = np.array([[1.0], [2.0, 3.0]], dtype=object)
    np.savez(tmp_path / "ppo/Ant/2/evaluations.npz", timesteps=[1, 2], results=ragged)
    with pytest.raises(InputError, match="an array of Python objects, which cannot be read"):
        read_folder(tmp_path, pattern=BY_FOLDERS)


def test_names_and_seed_are_in_the_arguments_of_the_zoo(tmp_path):
    """The counter of a folder is no seed, and the arguments are a dump of Python objects, read as data."""
    for algorithm in ("ppo", "a2c"):
        for counter, seed in ((1, 77), (2, 88)):
            write_zoo(tmp_path, algorithm, "CartPole-v1", counter, seed)
    found = read_folder(tmp_path)
    assert found.format == "zoo" and set(found.table["kind"]) == {"eval"}
    assert rows(found.table[:4], "algorithm", "environment", "run", "step", "score", "episodes") == [
        ("a2c", "CartPole-v1", 77, 10, 2.0, 2),
        ("a2c", "CartPole-v1", 77, 20, 3.0, 2),
        ("a2c", "CartPole-v1", 88, 10, 2.0, 2),
        ("a2c", "CartPole-v1", 88, 20, 3.0, 2),
    ]
    assert "scores of the kind train are not used for 4 runs (--score-kind train reads them)" in found.remarks
    train = read_folder(tmp_path, score_kind="train").table
    assert train.loc[train["run"] == 77, "step"].tolist() == [10, 15, 25] * 2


def test_a_run_of_the_zoo_without_a_seed_goes_by_its_folder(tmp_path):
    write_zoo(tmp_path, "ppo", "CartPole-v1", 1, None)
    write_zoo(tmp_path, "ppo", "CartPole-v1", 2, None)
    found = read_folder(tmp_path)
    assert set(found.table["run"]) == {"ppo/CartPole-v1_1", "ppo/CartPole-v1_2"}
    assert any("no seed in args.yml" in remark for remark in found.remarks)


def test_a_seed_that_is_there_twice_is_refused_by_both_files(tmp_path):
    write_zoo(tmp_path, "ppo", "CartPole-v1", 1, 5)
    write_zoo(tmp_path, "ppo", "CartPole-v1", 2, 5)
    with pytest.raises(InputError) as caught:
        read_folder(tmp_path)
    assert caught.value.what == (
        "ppo in CartPole-v1 has run 5 twice: ppo/CartPole-v1_1/evaluations.npz and ppo/CartPole-v1_2/evaluations.npz"
    )


def test_progress_of_the_logger_and_a_restart(tmp_path):
    """Empty cells were not logged; after a restart the steps go back, and the later writer wins."""
    text = """rollout/ep_rew_mean,time/total_timesteps,eval/mean_reward
1.0,100,
2.0,200,5.0
3.0,300,
2.5,200,6.0
3.5,300,
"""
    write_text(tmp_path / "ppo/Ant/1/progress.csv", text + "4.0,40")
    train = read_folder(tmp_path, pattern=BY_FOLDERS, score_kind="train")
    assert rows(train.table, "step", "score") == [(100, 1.0), (200, 2.5), (300, 3.5)]
    assert any("2 rows written before the restart" in remark for remark in train.remarks)
    assert any("last line is half-written" in remark for remark in train.remarks)
    assert any("running mean" in remark for remark in train.remarks)
    evaluated = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert rows(evaluated.table, "step", "score") == [(200, 6.0)]
    assert not any("running mean" in remark for remark in evaluated.remarks)


def test_a_nonfinite_score_is_an_error_until_dropped(tmp_path):
    write_evaluations(tmp_path / "ppo/Ant/1/evaluations.npz", [100, 200], [[1, 3], [np.nan, 9]])
    with pytest.raises(InputError, match="1 score is not finite, the first nan of ppo in Ant, run 1 at step 200"):
        read_folder(tmp_path, pattern=BY_FOLDERS)
    found = read_folder(tmp_path, pattern=BY_FOLDERS, invalid_scores="drop")
    assert found.table["step"].tolist() == [100] and "left out" in found.remarks[-1]
    write_evaluations(tmp_path / "ppo/Ant/1/evaluations.npz", [100], [[np.inf]])
    with pytest.raises(InputError, match="1 score is not finite"):
        read_folder(tmp_path, pattern=BY_FOLDERS, invalid_scores="drop")


def test_what_is_said_of_several_files_is_said_once(tmp_path):
    for counter in (1, 2, 3):
        write_zoo(tmp_path, "ppo", "Ant-v4", counter, counter)
        for worker in (0, 1):
            write_monitor(tmp_path / "ppo" / f"Ant-v4_{counter}" / f"{worker}.monitor.csv", [])
    remark = "ppo/Ant-v4_1/0.monitor.csv and 2 more: no complete episode yet, so there are no training returns"
    assert read_folder(tmp_path).remarks == (remark,)


def test_evaluations_in_a_folder_eval_are_of_its_run(tmp_path):
    for algorithm in ("A2C", "PPO"):
        for seed in (0, 1):
            folder = tmp_path / f"{algorithm}_Ant-v4_{seed}"
            write_monitor(folder / "0.monitor.csv", [(5, 10, 1.0)])
            write_evaluations(folder / "eval" / "evaluations.npz", [10, 20], [[1.0, 3.0], [seed, seed]])
    found = read_folder(tmp_path)
    assert found.table["score"].tolist() == [2.0, 0.0, 2.0, 1.0] * 2 and set(found.table["run"]) == {0, 1}
    assert "scores of the kind train are not used for 4 runs (--score-kind train reads them)" in found.remarks
    assert set(read_folder(tmp_path, score_kind="train").table["score"]) == {5.0}
    assert set(read_folder(tmp_path, format="stable_baselines3_monitor").table["score"]) == {5.0}
