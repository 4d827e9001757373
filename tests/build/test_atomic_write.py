"""Files are whole or not there, and what a dead process left behind is swept, never what a living one is writing."""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest

from surefoot.build.errors import InputError
from surefoot.build.files import (
    FORGOTTEN_AFTER,
    is_alive,
    is_temporary,
    read_sealed,
    sealed,
    sweep,
    temporary_path,
    unsealed,
    whole_file,
    write_whole,
)


@pytest.fixture
def dead():
    """Number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_file_is_replaced_at_once_and_an_error_leaves_the_old_one(tmp_path):
    path = tmp_path / "deep" / "file"
    write_whole(path, "one")
    with pytest.raises(OSError, match="full"), whole_file(path) as temporary:
        temporary.write_text("half")
        assert path.read_text() == "one"
        raise OSError("full")
    assert path.read_text() == "one"
    assert [found.name for found in path.parent.iterdir()] == ["file"]


def test_an_empty_folder_makes_way_for_a_file_and_a_full_one_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    write_whole(tmp_path / "empty", "text")
    assert (tmp_path / "empty").read_text() == "text"
    (tmp_path / "full" / "mine").mkdir(parents=True)
    with pytest.raises(InputError, match=r"full: a folder has the name of a file .* Hint: move the folder"):
        write_whole(tmp_path / "full", "text")
    assert (tmp_path / "full" / "mine").is_dir()


def test_what_dead_processes_left_is_swept_and_what_living_ones_write_is_not(tmp_path, dead):
    host, old = platform.node(), time.time() - FORGOTTEN_AFTER - 60
    swept = [f".a@{host}@{dead}@0", f"simulate-small-q@{host}@{dead}@3", ".b@elsewhere@1@0"]
    kept = [temporary_path(tmp_path / "a").name, ".c@elsewhere@1@0", "runs.parquet", "a@b", f".d@{host}@1@0"]
    for name in (*swept, *kept):
        (tmp_path / name).write_text("half")
    os.utime(tmp_path / ".b@elsewhere@1@0", (old, old))
    folder = tmp_path / f"unit@{host}@{dead}@1"
    (folder / "part").mkdir(parents=True)
    sweep(tmp_path.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
    assert [is_temporary(tmp_path / name) for name in ("runs.parquet", "a@b", ".x@y@1@2")] == [False, False, True]


def test_a_sealed_text_proves_that_no_byte_of_it_was_changed(tmp_path):
    content = {"a": [1, {"b": "é"}], "sha256": 3, "z": None}
    text = sealed(content)
    assert {**content, "sha256": 3} == unsealed(text)
    damaged = [text[:length] for length in range(len(text))]
    damaged += [text[:i] + chr(ord(text[i]) ^ 1) + text[i + 1 :] for i in range(len(text))]
    damaged += ["{}", "[]", "null", text + "\n", text * 2]
    assert [unsealed(half) for half in damaged] == [None] * len(damaged)
    for broken in (b"\xff\xfe\x00", b""):
        (tmp_path / "file").write_bytes(broken)
        assert read_sealed(tmp_path / "file") is None
    assert read_sealed(tmp_path) is None and read_sealed(tmp_path / "none") is None


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="only Linux has /proc")
def test_a_zombie_counts_as_dead():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert is_alive(process.pid)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not is_alive(process.pid)
    process.communicate()
