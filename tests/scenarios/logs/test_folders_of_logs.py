"""Folders as they are found: empty, mixed, unreadable, huge, with links that go round and names that nobody expects."""

import os
import re
import time
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from support.read_folders import read_folder, told
from support.write_logs import write_evaluations, write_monitor, write_text, write_zoo

import surefoot
from surefoot.runs.logs import places
from surefoot.runs.logs.naming import pairs_in_path
from surefoot.runs.logs.run_formats import RUN_FORMATS

BY_FOLDERS = "{algorithm}/{environment}/{seed}"


def test_folders_without_runs(tmp_path):
    assert "no such folder. Hint: give the folder of the runs" in told(tmp_path / "nowhere")
    assert "no runs of a known format among its 0 files. Hint: the formats are acme, " in told(tmp_path)
    for number in range(3):
        write_text(tmp_path / f"model{number}.zip", "x")
    write_text(tmp_path / "readme", "x")
    assert "among its 4 files (3 .zip, 1 readme)" in told(tmp_path)
    assert "no runs of the format cleanrl" in told(tmp_path, format="cleanrl")


def test_files_that_are_empty_or_broken_are_said(tmp_path):
    write_text(tmp_path / "a" / "progress.csv", "")
    assert "among its 1 file (1 .csv): a/progress.csv is empty. Hint:" in told(tmp_path)
    write_text(tmp_path / "b" / "scores.parquet", "PAR1 and no more")
    assert "a/progress.csv is empty; b/scores.parquet is not readable as .parquet" in told(tmp_path)
    write_text(tmp_path / "c.csv", "algorithm,environment,run,step,score\n")
    assert "c.csv: the table has no rows. Hint: write one row per run" in told(tmp_path / "c.csv")


def test_files_of_blanks_alone_are_empty(tmp_path):
    """Alone they are refused; beside runs, each is a run without a score."""
    write_text(tmp_path / "ppo" / "Ant-v4" / "1" / "progress.csv", "\n \n\n")
    assert "ppo/Ant-v4/1/progress.csv is empty" in told(tmp_path)
    for name, run in product(("ppo", "sac"), (2, 3)):
        write_text(tmp_path / name / "Ant-v4" / str(run) / "progress.csv", "\nstep,return\n\n1,2\n\n3,4\n\n")
    table = read_folder(tmp_path).table
    assert table.groupby(["algorithm", "run"])["score"].sum().tolist() == 4 * [6.0]
    account = surefoot.reading_account(table).set_index("file")
    assert account.loc["ppo/Ant-v4/1/progress.csv", "reason"] == "is empty"
    assert table.attrs["unfinished"] == [["ppo", "Ant-v4", "1"]]


def test_spreadsheets_are_refused_with_a_way_to_save_them(tmp_path):
    for place in ("scores.xlsx", "scores/more.XLS"):
        write_text(tmp_path / place, "PK")
    assert "scores/more.XLS: spreadsheets are not read. Hint: save each sheet that has scores as CSV" in told(tmp_path)
    for name, run in product(("ppo", "sac"), (1, 2)):
        write_evaluations(tmp_path / name / "Ant-v4" / str(run) / "evaluations.npz", [1], [[1.0]])
    account = surefoot.reading_account(read_folder(tmp_path).table).set_index("file")
    assert account.loc["scores/more.XLS", "reason"] == "a spreadsheet, which is not read"


def test_links_to_devices_and_pipes_are_refused(tmp_path):
    write_evaluations(tmp_path / "ppo" / "Ant" / "1" / "evaluations.npz", [1], [[1.0]])
    link = tmp_path / "ppo" / "Ant" / "1" / "progress.csv"
    os.mkfifo(tmp_path / ".pipe")
    for leads_to in ("/dev/zero", tmp_path / ".pipe"):
        link.symlink_to(leads_to)
        assert "progress.csv: it is a pipe, a device or a socket" in told(tmp_path)
        link.unlink()


def test_a_file_that_goes_while_the_folder_is_read_is_left_out(tmp_path, monkeypatch):
    for run in (1, 2):
        write_evaluations(tmp_path / "ppo" / "Ant" / str(run) / "evaluations.npz", [1], [[1.0]])
    evaluations = RUN_FORMATS.complete()["stable_baselines3_evaluations"]

    def then_gone(reading, files):
        found = evaluations.recognize(reading, files)
        (tmp_path / "ppo" / "Ant" / "1" / "evaluations.npz").unlink()
        return found

    monkeypatch.setitem(RUN_FORMATS, "stable_baselines3_evaluations", evaluations._replace(recognize=then_gone))
    found = read_folder(tmp_path, pattern=BY_FOLDERS, format="stable_baselines3_evaluations")
    assert found.table["run"].tolist() == [2] and "evaluations.npz disappeared before it was read" in found.remarks[0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "cleanr"}, 'format: unknown format "cleanr". Hint: did you mean "cleanrl"?'),
        ({"invalid_scores": "floor"}, "invalid_scores: 'floor' is not allowed"),
        ({"pattern": "{algo}/{seed}"}, 'pattern: "{algo}" is not known. Hint: did you mean "algorithm"?'),
        ({"pattern": "{}/{}"}, 'pattern: "{}/{}" names nothing. Hint: use one such as "{environment}__'),
        ({"pattern": "{seed"}, 'pattern: "{seed" is not a pattern'),
        ({"pattern": "{seed}/{run}"}, "names the run twice"),
        ({"names_from": {"algo": "x"}}, 'names_from: "algo" does not identify runs'),
    ],
)
def test_options_that_are_not_known(tmp_path, options, said):
    assert said in told(tmp_path, **options)


def test_two_formats_in_one_folder_are_named(tmp_path):
    write_evaluations(tmp_path / "a" / "evaluations.npz", [1], [[1.0]])
    write_text(tmp_path / "b" / "scores.csv", "algorithm,environment,run,score\na,e,0,1\n")
    said = told(tmp_path)
    assert "1 place of the format stable_baselines3_evaluations (such as a)" in said
    assert "1 place of the format table (such as b/scores)" in said
    assert said.endswith("Hint: choose one: --format stable_baselines3_evaluations or --format table")


def test_training_returns_are_preferred_to_running_means(tmp_path):
    """Monitor files and the logger's in one folder; what the logger has of evaluations goes before both."""
    for seed in (1, 2):
        folder = tmp_path / "ppo" / "Ant-v4" / f"{seed}"
        write_monitor(folder / "0.monitor.csv", [(1.0, 10, 1.0), (2.0, 10, 2.0)])
        write_text(folder / "progress.csv", "time/total_timesteps,rollout/ep_rew_mean\n10,1.0\n20,1.5\n")
    found = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert found.format == "stable_baselines3_monitor"
    assert found.table["score"].tolist() == [1.0, 2.0] * 2 and set(found.table["kind"]) == {"train"}
    (remark,) = found.remarks
    assert remark.startswith("scores of the kind train are read from stable_baselines3_monitor, not from")
    asked = read_folder(tmp_path, pattern=BY_FOLDERS, format="stable_baselines3_progress")
    assert asked.table["score"].tolist() == [1.0, 1.5] * 2
    for seed in (1, 2):
        path = tmp_path / "ppo" / "Ant-v4" / f"{seed}" / "progress.csv"
        path.write_text("time/total_timesteps,rollout/ep_rew_mean,eval/mean_reward\n10,1.0,7.0\n20,1.5,8.0\n")
    evaluated = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert evaluated.format == "stable_baselines3_progress" and evaluated.table["score"].tolist() == [7.0, 8.0] * 2


def test_paths_that_a_pattern_does_not_match_are_shown(tmp_path):
    for place in ("ppo/Ant/1", "ppo/Ant/2", "old"):
        write_evaluations(tmp_path / "runs" / place / "evaluations.npz", [1], [[1.0]])
    said = told(tmp_path / "runs", pattern=BY_FOLDERS)
    assert f"""the pattern "{BY_FOLDERS}" does not match 1 path, such as 'old'""" in said


def test_a_pattern_that_lacks_the_name_of_the_file_is_completed(tmp_path):
    for name in ("a", "b"):
        for seed in (1, 2):
            write_text(tmp_path / f"pong-{name}-{seed}" / "scores.csv", "step,eval_return\n1,2\n")
    said = told(tmp_path, pattern="{environment}-{algorithm}-{seed}")
    (pattern,) = re.findall('such as --pattern "([^"]+)"', said)
    assert set(read_folder(tmp_path, pattern=pattern).table["environment"]) == {"pong"}


def test_names_are_read_from_paths_of_one_surviving_run(tmp_path):
    """An algorithm has several runs, though one of them alone has scores."""
    for name in ("ppo", "sac"):
        write_text(tmp_path / name / "Ant-v4" / "1.csv", "step,return\n1,1.5\n2,2.5\n")
        write_text(tmp_path / name / "Ant-v4" / "2.csv", "step,return\n")
    table = read_folder(tmp_path).table
    assert table.attrs["unfinished"] == [["ppo", "Ant-v4", "2"], ["sac", "Ant-v4", "2"]]
    assert set(table["algorithm"]) == {"ppo", "sac"}


def test_a_hint_leaves_open_what_folders_name(tmp_path):
    """Folders that may be environments are not said to be algorithms, and both patterns read them."""
    for name in ("maze", "chain"):
        for seed in (1, 2):
            write_text(tmp_path / name / str(seed) / "progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    said = told(tmp_path)
    patterns = re.findall('--pattern "([^"]+)" with --([a-z]+) NAME', said)
    assert [name for _, name in patterns] == ["environment", "algorithm"]
    for pattern, name in patterns:
        assert len(read_folder(tmp_path, pattern=pattern, **{name: "x"}).table) == 4


@pytest.mark.parametrize(
    ("place", "pairs"),
    [
        ("agent=ppo,env=Ant-v4,seed=1", {"agent": "ppo", "env": "Ant-v4", "seed": "1"}),
        ("agent=ppo/env=Ant-v4/seed=1", {"agent": "ppo", "env": "Ant-v4", "seed": "1"}),
        ("agent=sac_env=walker_walk_seed=1", {"agent": "sac", "env": "walker_walk", "seed": "1"}),
        ("agent=sac__task=Ant-v4-seed=1", {"agent": "sac", "task": "Ant-v4", "seed": "1"}),
        ("+seed=1,agent.name=sac,lr=0.1", {"seed": "1", "agent.name": "sac", "lr": "0.1"}),
        ("PPO_0_seed=0_2026-11-01_10-00-00", {"seed": "0"}),
        ("agent=sac_learning_rate=0.1_seed=2", {"seed": "2"}),
        ("agent=sac_num_env=8_seed=2", {"seed": "2"}),
        ("n_env=8,myseed=3", {"n_env": "8", "myseed": "3"}),
        ("agent=a/agent=b,lr=", {}),
        ("=/a==b/ppo/1", {}),
    ],
)
def test_paths_state_values_by_key(place, pairs):
    assert pairs_in_path(place) == pairs


@pytest.mark.parametrize("sign", "/,_")
def test_pairs_in_paths_name_runs_and_hyperparameters(tmp_path, sign):
    each = list(product(("ppo", "sac"), ("Ant-v4", "Hopper"), ("0.1", "0.2"), "12"))
    for names in each:
        path = "agent={}+env={}+lr={}+seed={}".replace("+", sign).format(*names)
        write_evaluations(tmp_path / path / "evaluations.npz", [1, 2], [[1.0], [2.0]])
    table = read_folder(tmp_path, hyperparameters=["lr"]).table
    found = table[["algorithm", "environment", "lr", "run"]].astype(str).drop_duplicates().to_numpy().tolist()
    assert sorted(map(tuple, found)) == sorted(each)
    assert "guessed_pattern" not in table.attrs


def test_an_environment_missing_from_paths_is_asked_for(tmp_path):
    for name in ("PPO_1", "PPO_2", "A2C_1", "A2C_2"):
        write_text(tmp_path / name / "progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    assert told(tmp_path).endswith('such as --pattern "{algorithm}_{seed}" with --environment NAME')
    found = read_folder(tmp_path, environment="CartPole-v1")
    names = found.table[["algorithm", "environment", "run"]].values.tolist()
    assert names == [[name, "CartPole-v1", run] for name in ("A2C", "PPO") for run in (1, 2)]
    assert found.remarks == ('names are read from the paths, as with --pattern "{algorithm}_{seed}"',)
    again = read_folder(tmp_path, environment="CartPole-v1", pattern="{algorithm}_{seed}")
    assert again.table.equals(found.table)


def test_links_are_followed_once_and_loops_are_not(tmp_path):
    write_evaluations(tmp_path / "elsewhere" / "Ant" / "2" / "evaluations.npz", [1], [[2.0]])
    write_evaluations(tmp_path / "runs" / "ppo" / "Ant" / "1" / "evaluations.npz", [1], [[1.0]])
    runs = tmp_path / "runs"
    (runs / "a_loop").symlink_to(runs)
    (runs / "itself").symlink_to(runs / "itself")
    (runs / "gone").symlink_to(tmp_path / "nowhere")
    (runs / "a_latest").symlink_to(runs / "ppo" / "Ant" / "1")
    (runs / "sac").symlink_to(tmp_path / "elsewhere")
    table = read_folder(runs, pattern=BY_FOLDERS).table
    assert table[["algorithm", "run", "score"]].values.tolist() == [["ppo", 1, 1.0], ["sac", 2, 2.0]]
    account = surefoot.reading_account(table)
    outcomes = dict(zip(account["file"], account["outcome"], strict=True))
    assert outcomes["a_latest"] == outcomes["a_loop"] == "second record"
    assert outcomes["gone"] == outcomes["itself"] == "left out"


@pytest.mark.parametrize(
    ("owner", "function", "file"),
    [
        (os, "scandir", "ppo/Ant"),
        (Path, "open", "ppo/Ant_1/evaluations.npz"),
        (Path, "open", "ppo/Ant_1/more.csv"),
        (Path, "read_bytes", "ppo/Ant_1/Ant/args.yml"),
    ],
)
def test_what_may_not_be_read_is_named(tmp_path, monkeypatch, owner, function, file):
    """Not left out: a run that is missing unseen would change the result, and in a configuration stands the seed."""
    write_zoo(tmp_path, "ppo", "Ant", 1, 1)
    (tmp_path / "ppo" / "Ant_1" / "more.csv").touch()
    (tmp_path / "ppo" / "Ant").mkdir()
    read = getattr(owner, function)

    def refusing(path, *arguments, **options):
        if str(path).endswith(file):
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, *arguments, **options)

    monkeypatch.setattr(owner, function, refusing)
    assert f"{file}: it cannot be read (Permission denied). Hint: make it readable" in told(tmp_path)


def test_names_with_markup_and_bytes_that_are_no_text(tmp_path):
    for name in ("<b>ppo", "a|b & `c`", "日本"):
        write_evaluations(tmp_path / name / "Ant" / "1" / "evaluations.npz", [1], [[1.0]])
    odd = os.fsencode(tmp_path) + b"/\xff\xfe/Ant/1"
    Path(os.fsdecode(odd)).mkdir(parents=True)
    evaluations = tmp_path / "日本" / "Ant" / "1" / "evaluations.npz"
    evaluations.rename(Path(os.fsdecode(odd)) / "evaluations.npz")
    found = read_folder(tmp_path, pattern=BY_FOLDERS).table
    assert found["algorithm"].tolist() == ["<b>ppo", "a|b & `c`", "��"]
    found.to_parquet(tmp_path / "written.parquet")


def test_a_thousand_files_are_read_in_seconds_with_progress(tmp_path, monkeypatch, capsys):
    for run in range(300):
        folder = tmp_path / "ppo" / "Ant" / str(run)
        folder.mkdir(parents=True)
        for name in ("model.zip", "notes.txt", "config.cfg"):
            (folder / name).touch()
        write_monitor(folder / "monitor.csv", [(run, 10, 1.0)])
    monkeypatch.setattr(places, "_BETWEEN_REPORTS", 0.0)
    started = time.process_time()
    found = read_folder(tmp_path, pattern=BY_FOLDERS).table
    assert time.process_time() - started < 5
    assert found["score"].tolist() == list(range(300))
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("read ") and " of 300 runs" in first


def test_a_folder_of_one_run_goes_by_its_own_name(tmp_path):
    write_monitor(tmp_path / "ppo" / "monitor.csv", [(1, 10, 1.0)])
    found = read_folder(tmp_path / "ppo", algorithm="ppo").table
    assert found[["algorithm", "environment", "run"]].values.tolist() == [["ppo", "CartPole-v1", "ppo"]]


def test_scores_under_unlike_names_are_refused(tmp_path):
    write_text(tmp_path / "a/Ant/1/progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    frame = pd.DataFrame({"_step": [1], "global_step": [1], "eval/mean_reward": [1.0], "eval/episodic_return": [1.0]})
    for name, dropped in (("x", "eval/mean_reward"), ("y", "eval/episodic_return")):
        frame.drop(columns=dropped).to_parquet(tmp_path / f"{name}.parquet")
    said = told(tmp_path, format="wandb", pattern="{algorithm}", environment="Ant")
    assert "runs with different protocols are not compared: x: " in said
    assert "metric eval/episodic_return; y: " in said and "metric eval/mean_reward. Hint: choose one with" in said
    said = told(tmp_path, format="wandb", algorithm="ours", environment="Ant")
    assert "runs log their returns under different names: eval/episodic_return (x) and eval/mean_reward (y)" in said


def test_every_format_has_a_description():
    formats = RUN_FORMATS.complete()
    for name, one in formats.items():
        assert one.description and "\n" not in one.description and not one.description.endswith(".")
        assert {*one.contains, *one.beside} <= set(formats) - {name}


def test_no_run_is_left_out_without_a_word(tmp_path):
    """An empty file and missing steps, beside runs that can be read, one of them with semicolons."""
    rows = "step,return\n0,1\n100,2\n"
    texts = {"ppo_maze_0": rows, "ppo_maze_1": rows.replace(",1", ",3"), "ppo_maze_2": ""}
    texts |= {"ppo_maze_3": rows.replace(",", ";"), "ppo_maze_4": "step,return\nnan,1\n"}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "progress.csv").write_text(text)
    found = read_folder(tmp_path, pattern="{algorithm}_{environment}_{seed}/{}", metric="return")
    assert set(found.table["run"]) == {0, 1, 3}
    remarks = " ".join(found.remarks)
    assert all(f"ppo_maze_{run}" in remarks for run in (2, 4)) and remarks.count("is left out") == 2
