"""TensorBoard, CleanRL and Tianshou, in event files that TensorBoard's own writer made."""

import os
import struct
import sys
import time
import tracemalloc

import numpy as np
import pytest
from support.read_folders import BY_FOLDERS, read_folder, reasons, rows

import surefoot
from surefoot.errors import InputError
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs
from surefoot.runs.protocol_card import methods_sentence

writing_events = pytest.importorskip("support.write_event_files", reason="the package tensorboard is not installed")
hyperparameters, simple, tensor = writing_events.hyperparameters, writing_events.simple, writing_events.tensor
write_events = writing_events.write_events


def cleanrl(root, algorithm, seed, scores, environment="CartPole-v1", env_id=None, time=1700000000, evaluated=()):
    events = [hyperparameters(env_id=env_id or environment, exp_name=algorithm, seed=seed)]
    events += [simple("charts/episodic_return", 10 * (place + 1), score) for place, score in enumerate(scores)]
    events += [simple("eval/episodic_return", place, score) for place, score in enumerate(evaluated)]
    return write_events(root / f"{environment}__{algorithm}__{seed}__{time}", events, time)


def test_cleanrl_folders_have_names_and_returns_are_averaged(tmp_path):
    for algorithm in ("ppo", "dqn__atari"):
        for seed in (1, 2):
            path = cleanrl(tmp_path, algorithm, seed, [1.0, 2.0])
            write_events(path.parent, [simple("charts/episodic_return", 20, 4.0)], time=1700000001, host="other")
    (tmp_path / "notes.txt").write_text("nothing")
    found = read_folder(tmp_path)
    assert found.format == "cleanrl"
    # The second file begins at step 20, which the first has reached: what it has there is overwritten.
    assert rows(found.table[:2], "algorithm", "environment", "run", "step", "score", "kind", "episodes") == [
        ("dqn__atari", "CartPole-v1", 1, 10, 1.0, "train", 1),
        ("dqn__atari", "CartPole-v1", 1, 20, 4.0, "train", 1),
    ]
    assert set(found.table["algorithm"]) == {"ppo", "dqn__atari"} and len(found.table) == 8
    same = [simple("charts/episodic_return", 5, value) for value in (1.0, 3.0, 8.0)]
    write_events(tmp_path / "CartPole-v1__sac__1__1700000000", same)
    table = read_folder(tmp_path).table
    assert rows(table[table["algorithm"] == "sac"], "step", "score", "episodes") == [(5, 4.0, 3)]


def test_an_environment_with_a_slash_is_in_the_hyperparameters(tmp_path):
    cleanrl(tmp_path / "ALE", "dqn", 1, [1.0], environment="Pong-v5", env_id="ALE/Pong-v5")
    assert read_folder(tmp_path).table["environment"].tolist() == ["ALE/Pong-v5"]
    pattern = "{environment}/{environment}__{algorithm}__{seed}__{}"
    assert read_folder(tmp_path, pattern=pattern).table["environment"].tolist() == ["ALE/Pong-v5"]


def test_cleanrls_evaluations_count_episodes_as_steps(tmp_path):
    """It takes place after training, so all its episodes count at the last step of training."""
    cleanrl(tmp_path, "ppo", 1, [1.0, 2.0, 3.0], evaluated=(5.0, 7.0))
    found = read_folder(tmp_path)
    assert rows(found.table, "step", "score", "kind", "episodes") == [(30, 6.0, "eval", 2)]
    alone = read_folder(tmp_path, metric="eval/episodic_return")
    assert rows(alone.table, "step", "score") == [(30, 6.0)]
    assert read_folder(tmp_path, score_kind="train").table["step"].tolist() == [10, 20, 30]


def test_scalars_of_tensorflow_2_are_tensors(tmp_path):
    for seed in (1, 2):
        events = [tensor("train/episode_return", step, step * seed) for step in (1, 2, 3)]
        write_events(tmp_path / "sac" / "Ant" / f"seed{seed}", events)
    found = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}")
    assert found.format == "tensorboard" and set(found.table["run"]) == {1, 2}
    assert found.table.loc[found.table["run"] == 2, "score"].tolist() == [2.0, 4.0, 6.0]


def test_tags_that_are_not_known_are_listed_and_can_be_asked_for(tmp_path):
    write_events(tmp_path / "sac" / "Ant" / "1", [simple("my/score", 1, 2.0), simple("losses/value", 1, 3.0)])
    options = {"pattern": "{algorithm}/{environment}/{seed}"}
    with pytest.raises(InputError, match="choose a score with --metric: losses/value, my/score"):
        read_folder(tmp_path, **options)
    with pytest.raises(InputError, match=r'no scores under my/scores\. Hint: did you mean "my/score"'):
        read_folder(tmp_path, metric="my/scores", **options)
    assert read_folder(tmp_path, metric="my/score", **options).table["score"].tolist() == [2.0]


def test_more_than_ten_thousand_points_are_all_read(tmp_path):
    scores = np.arange(12_345.0)
    cleanrl(tmp_path, "ppo", 1, scores)
    assert np.array_equal(read_folder(tmp_path).table["score"], scores)


@pytest.mark.parametrize(("more", "scores"), [(-3, [1.0, 2.0]), (200_000_000, [1.0, 2.0, 3.0])])
def test_a_half_written_record_ends_the_file_with_a_remark(tmp_path, more, scores):
    """A file system leaves zeros after a crash: no record has a length of 0, and none of 200 MB is looked at."""
    path = cleanrl(tmp_path, "ppo", 1, [1.0, 2.0, 3.0])
    os.truncate(path, path.stat().st_size + more)
    started = time.process_time()
    found = read_folder(tmp_path)
    assert time.process_time() - started < 5
    assert found.table["score"].tolist() == scores
    assert f"{path.parent.name}/{path.name}: its last record is half-written (or damaged)" in found.remarks[0]


def test_a_restart_in_a_later_file_wins(tmp_path):
    run = tmp_path / "CartPole-v1__ppo__1__1700000000"
    write_events(run, [simple("charts/episodic_return", step, 1.0) for step in (10, 20, 30, 40)], 1700000000)
    write_events(run, [simple("charts/episodic_return", step, 2.0) for step in (25, 35)], 1700000900, host="a")
    found = read_folder(tmp_path)
    assert rows(found.table, "step", "score") == [(10, 1.0), (20, 1.0), (25, 2.0), (35, 2.0)]
    assert "begins at step 25" in found.remarks[0] and "2 earlier points" in found.remarks[0]


def test_tianshou_tells_test_from_training(tmp_path):
    events = [tensor("test/returns_stat/mean", 5000, 7.0), tensor("training/returns_stat/mean", 100, 1.0)]
    write_events(tmp_path / "HalfCheetah-v4" / "sac" / "0", [*events, tensor("test/env_step", 5000, 5000)])
    pattern = "{environment}/{algorithm}/{seed}"
    found = read_folder(tmp_path, pattern=pattern)
    assert found.format == "tianshou" and rows(found.table, "step", "score", "kind") == [(5000, 7.0, "eval")]
    assert read_folder(tmp_path, pattern=pattern, score_kind="train").table["score"].tolist() == [1.0]


def test_large_records_of_other_tags_take_no_memory(tmp_path):
    """Two MB of images, of which never more than a few records are held."""
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    large = TensorProto(dtype=1, tensor_content=bytes(100_000))
    events = [Event(step=1, summary=Summary(value=[Summary.Value(tag="image", tensor=large)])) for _ in range(20)]
    path = cleanrl(tmp_path, "ppo", 1, [1.0, 2.0])
    write_events(path.parent, [*events, simple("charts/episodic_return", 50, 3.0)], 1700000001, host="x")
    read_folder(tmp_path)
    tracemalloc.start()
    assert read_folder(tmp_path).table["score"].tolist() == [1.0, 2.0, 3.0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_500_000 < sum(file.stat().st_size for file in path.parent.iterdir())


def test_without_the_package_one_sentence_says_how_to_install_it(tmp_path, monkeypatch):
    cleanrl(tmp_path, "ppo", 1, [1.0])
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(InputError, match=r"which is not installed\. Hint: pip install 'surefoot\[tensorboard\]'"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("metric", "unit"),
    [
        ("Train/mean_reward", "iterations"),
        ("rewards/step", None),
        ("Reward / Total reward (mean)", None),
        ("rollout/ep_rew_mean", "environment steps"),
    ],
)
def test_a_unit_is_said_only_if_the_log_says_it(tmp_path, metric, unit):
    """Of rsl_rl, rl_games, skrl and Stable-Baselines3: iterations are no environment steps."""
    for run in (1, 2):
        write_events(tmp_path / "ppo" / "Ant-v4" / str(run), [simple(metric, step, 1.0 * step) for step in (10, 20)])
    table = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}").table
    assert set(table["kind"]) == {"train"} and table.attrs.get("unit") == unit
    said = methods_sentence({"logs": protocols_in_logs(table)}, {"ppo": "ppo"})
    assert f"in the course of 20 {unit or 'steps'}." in said


def test_a_record_with_a_damaged_tag_is_counted(tmp_path):
    """Without its tag nothing but the checksum shows that a score is lost."""
    path = write_events(
        tmp_path / "ppo" / "Ant-v4" / "1", [simple("rollout/ep_rew_mean", step, 1.0) for step in (1, 2, 3)]
    )
    content = path.read_bytes()
    path.write_bytes(content[::-1].replace(b"rollout"[::-1], b"rollouT"[::-1], 1)[::-1])
    found = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}")
    assert len(found.table) == 2 and "1 record with a wrong checksum left out" in found.remarks[0]


def test_the_folder_of_hyperparameters_is_no_run(tmp_path):
    """PyTorch's `add_hparams` repeats the last values of a run in a folder inside of it."""
    for seed in (1, 2):
        run = tmp_path / "ppo" / "Ant-v4" / f"{seed}"
        write_events(run, [simple("rollout/ep_rew_mean", step, 1.0 * step) for step in (1, 2, 3)])
        last = [simple("_hparams_/session_start_info", 0, 0.0), simple("rollout/ep_rew_mean", 0, 3.0)]
        write_events(run / "1700000000.25", last)
    table = read_folder(tmp_path, pattern="{algorithm}/{environment}/{seed}", strict=True).table
    assert table["score"].tolist() == [1.0, 2.0, 3.0] * 2
    account = surefoot.reading_account(table)
    assert account["reason"].tolist().count("hyperparameters") == 2


def test_damaged_records_of_event_files_are_noticed(tmp_path):
    """Any changed byte of a score is, by the checksum of its record; the other records are read."""
    folder = tmp_path / "ppo" / "Ant" / "1"
    path = write_events(folder, [simple("eval/mean_reward", 10 * k, float(k)) for k in (1, 2, 3)])
    content = bytearray(path.read_bytes())
    place = bytes(content).index(struct.pack("<f", 2.0))
    content[place] ^= 1
    path.write_bytes(content)
    found = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert rows(found.table, "step", "score") == [(10, 1.0), (30, 3.0)]
    assert reasons(found.table)["damaged"] == 1
    assert "1 record with a wrong checksum left out" in " ".join(found.remarks)
