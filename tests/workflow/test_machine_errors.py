"""What the machine refuses is one sentence; an error of the program keeps its traceback."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest
from support.paths import ROOT

from surefoot.errors import InputError
from surefoot.workflow.machine_errors import explained, tell

SOURCE = ROOT / "src"


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "runs.parquet: no space is left there (No space left on device). Hint: free some"),
        (errno.EROFS, "runs.parquet: nothing can be written there (Read-only file system). Hint: make it writable"),
        (
            errno.EACCES,
            "runs.parquet: this user has no permission to read, write or run it (Permission denied). Hint: change its",
        ),
        (errno.ENAMETOOLONG, "the name is too long for a file"),
        (errno.ENOTDIR, "a file has the name of a required folder, or a folder the name of a file"),
    ],
)
def test_what_the_machine_refuses_is_one_sentence(number, told):
    assert told in str(explained(OSError(number, os.strerror(number), "runs.parquet")))


def test_ctrl_c_and_mistakes_are_sentences_other_errors_raised():
    assert "Hint: run the same command again" in str(explained(KeyboardInterrupt()))
    mistake = InputError("a", "b", "c")
    assert explained(mistake) is mistake
    for error in (FileNotFoundError(errno.ENOENT, "No such file", "x"), OSError("no number"), ValueError("x")):
        assert explained(error) is None
        with pytest.raises(type(error)):
            tell(error)


SLOW_MODULE = """
import pathlib, time
try:
    pathlib.Path("loading").touch()
    time.sleep(60)
except BaseException:
    pass  # as the import system does with what is raised in its own callbacks
"""


def test_ctrl_c_while_modules_are_loaded_is_one_sentence(tmp_path):
    (tmp_path / "yaml.py").write_text(SLOW_MODULE)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(SOURCE)])}
    command = [sys.executable, "-m", "surefoot", "check"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "loading").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=30)[1]
    assert (process.returncode, told) == (130, f"surefoot: {explained(KeyboardInterrupt())}\n")
