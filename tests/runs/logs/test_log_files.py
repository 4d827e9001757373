"""Files of a folder as they are found: links that go round, what may not be read, and names that nobody expects."""

import os
from pathlib import Path

import pytest
from support.read_folders import BY_FOLDERS, read_folder, told
from support.write_logs import write_evaluations, write_zoo

import surefoot


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
