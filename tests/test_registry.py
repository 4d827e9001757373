"""Registries of entries, and modules and functions by name."""

import sys

import pytest

from surefoot.errors import HintedError
from surefoot.registry import Registry, function_named, module_named


def test_an_entry_has_one_name_and_the_module_that_added_it():
    registry: Registry[int] = Registry("numbers")
    registry.add("one", 1, "some.module")
    assert registry.named("one") == 1 and registry.modules == {"one": "some.module"}
    with pytest.raises(HintedError, match=r'other\.module: "one" already exists\. Hint: choose another name'):
        registry.add("one", 2, "other.module")
    with pytest.raises(KeyError, match="two"):
        registry.named("two")


def test_a_file_of_a_user_is_executed_once(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("runs = []\n\n\ndef double(number):\n    return 2 * number\n")
    module_named(str(path)).runs.append(1)
    assert module_named(str(path)).runs == [1]
    assert function_named(f"{path}:double")(21) == 42
    assert function_named("surefoot.registry:Registry") is Registry
    assert function_named("surefoot.registry.Registry") is Registry


def test_a_file_that_fails_is_executed_again(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("raise ValueError('mistake')\n")
    with pytest.raises(ValueError, match="mistake"):
        module_named(str(path))
    assert str(path) not in sys.modules
    path.write_text("answer = 42\n")
    assert module_named(str(path)).answer == 42
