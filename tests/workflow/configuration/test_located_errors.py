"""The file and the study of errors in settings."""

import os

import pytest

from surefoot.errors import InputError
from surefoot.runs.setting_errors import SettingError
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.located_errors import FILES_VARIABLE, located, located_in


@pytest.fixture
def files(own_folder):
    """Two configuration files; the second one changes a scale of the first one."""
    (own_folder / "a.yaml").write_text("studies: {mine: {title: x, scales: {runs: {kind: ratio, baseline: a}}}}\n")
    (own_folder / "b.yaml").write_text("studies: {mine: {scales: {runs: {baseline: b}}}}\n")
    return [own_folder / name for name in ("a.yaml", "b.yaml")]


@pytest.mark.parametrize(("key", "file"), [("baseline", "b.yaml"), ("kind", "a.yaml")])
def test_the_file_with_the_key_is_named(files, monkeypatch, key, file):
    keys = ("scales", "runs", key)
    where = rf"^{file}: studies\.mine\.scales\.runs\.{key}: wrong\. Hint: do"
    with pytest.raises(InputError, match=where), located(read_configuration(files), files):
        raise SettingError(("studies", "mine", *keys), "wrong", "do")
    monkeypatch.setenv(FILES_VARIABLE, os.pathsep.join(map(str, files)))
    with pytest.raises(InputError, match=where), located_in("mine"):
        raise SettingError(keys, "wrong", "do")


def test_a_job_without_the_files_names_the_study(monkeypatch):
    monkeypatch.setenv(FILES_VARIABLE, "")
    with pytest.raises(InputError, match=r"^studies\.mine\.scales\.runs: wrong\. Hint: do"), located_in("mine"):
        raise SettingError(("scales", "runs"), "wrong", "do")
