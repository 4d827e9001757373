"""What the machine refuses is one sentence; an error of the program keeps its traceback."""

import errno
import os

import pytest

from surefoot.__main__ import main
from surefoot.pipeline.errors import InputError, explained


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "runs.parquet: no space is left there (No space left on device). Hint: free some"),
        (errno.EROFS, "runs.parquet: nothing can be written there (Read-only file system). Hint: make it writable"),
        (errno.EACCES, "runs.parquet: nothing can be written there (Permission denied). Hint: make it writable"),
        (errno.ENOTDIR, "a file has the name of a folder that is needed, or a folder that of a file"),
    ],
)
def test_what_the_machine_refuses_is_one_sentence(number, told):
    assert told in str(explained(OSError(number, os.strerror(number), "runs.parquet")))


def test_ctrl_c_and_mistakes_are_sentences_and_all_else_is_raised():
    assert "Hint: run the same command again" in str(explained(KeyboardInterrupt()))
    mistake = InputError("a", "b", "c")
    assert explained(mistake) is mistake
    for error in (FileNotFoundError(errno.ENOENT, "No such file", "x"), OSError("no number"), ValueError("x")):
        with pytest.raises(type(error)):
            explained(error)


def test_a_command_without_its_configuration_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("surefoot: results/spec/configuration.json: no checked configuration. Hint: ")
    assert told.count("\n") == 1
