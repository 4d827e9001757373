"""`surefoot run`: Snakemake, but for files that it would answer with a traceback."""

import errno
import os
from pathlib import Path

import pytest

import surefoot
from surefoot.cli.commands import main
from surefoot.cli.running import QUIET, snakemake_command, use_writable_cache
from surefoot.errors import InputError
from surefoot.workflow.configuration.configuration_files import own_studies

SOURCE = Path(surefoot.__file__).parents[1]


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """What `surefoot run` says of a command line that is wrong, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        assert main(["run", "--dry-run", *words]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        return captured.err

    return run


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "mine.yaml: no such configuration file. Hint: check the path"),
        (
            b"studies:\n  caf\xe9: 1\n",
            "mine.yaml: the file is not encoded as UTF-8: line 2 has the byte 0xe9. Hint: save it as UTF-8, which "
            "spreadsheets call CSV UTF-8",
        ),
        (b"- studies\n", "mine.yaml: a list instead of a mapping of keys. Hint: begin the file with studies:"),
        (b"", "mine.yaml: it is empty. Hint: begin the file with studies:"),
        (b"# studies:\n", "mine.yaml: it is empty. Hint: begin the file with studies:"),
        (b"a: 1\na: 2\n", "mine.yaml: a: duplicate key, in lines 1 and 2. Hint: keep one of them"),
    ],
)
def test_an_unreadable_configuration_file_is_one_sentence(content, said, tmp_path, refused):
    if content is not None:
        tmp_path.joinpath("mine.yaml").write_bytes(content)
    assert refused("--configfile", "mine.yaml") == f"surefoot: {said}\n"


def test_a_folder_as_configuration_file_is_one_sentence(tmp_path, refused):
    tmp_path.joinpath("config").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert "config: it is a folder, not a configuration file. Hint: name a YAML" in refused("--configfile", "config")
    assert "pipe: it is a pipe, a device or a socket, not a data file. Hint:" in refused("--configfile", "pipe")


def test_without_cores_nothing_is_begun(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["report", "scores.csv", "--cores", "0"]) == 2
    assert "--cores: 0 cores are too few. Hint: use at least 1" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("home", ["a file", None])
def test_without_a_home_caches_are_kept_beside_the_results(home, tmp_path, monkeypatch, capsys):
    """As in containers, where Snakemake would end with a traceback; None is a user who is in no list of users."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if home is None:
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home directory")))
        monkeypatch.setattr(Path, "mkdir", refusing(Path.mkdir, "/nonexistent"))
    else:
        (tmp_path / home).write_text("")
        monkeypatch.setenv("HOME", str(tmp_path / home))
    use_writable_cache(tmp_path / "mine")
    assert os.environ["XDG_CACHE_HOME"] == str(tmp_path / "mine" / ".cache") and (tmp_path / "mine" / ".cache").is_dir()
    assert capsys.readouterr().err.count("nothing can be written there") == 1
    use_writable_cache(tmp_path / "mine")
    assert capsys.readouterr().err == ""


def refusing(mkdir, top):
    """Making folders, but for those below one: root can make them anywhere."""

    def make(path, *args, **options):
        if str(path).startswith(top):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        mkdir(path, *args, **options)

    return make


SHIPPED = "config/overlays/complete.yaml"


def test_the_workflow_of_the_folder_or_of_the_clone_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = ["--snakefile", str(SOURCE.parent / "Snakefile")]
    assert snakemake_command(["--dry-run", "example"])[3:] == [*whole, "--dry-run", "example"]
    assert snakemake_command(["example"])[3:] == [*whole, "example", *QUIET]
    tmp_path.joinpath("Snakefile").touch()
    assert snakemake_command(["--dry-run"])[3:] == ["--dry-run"]


def test_an_overlay_is_found_anywhere_and_a_users_file_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["example", "--dry-run", "--configfile", SHIPPED]
    assert snakemake_command(command)[-1] == str(SOURCE.parent / SHIPPED)
    tmp_path.joinpath("config/overlays").mkdir(parents=True)
    tmp_path.joinpath(SHIPPED).write_text("studies: {}\n")
    assert snakemake_command(command)[-1] == SHIPPED
    for missing in ("config/overlays/none.yaml", "environment.yml"):
        with pytest.raises(InputError, match="no such configuration file"):
            snakemake_command(["example", "--configfile", missing])


def test_the_studies_of_a_users_files_that_are_not_shipped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("mine", "studies: {mine: {}, other: {}}"),
        ("overlay", "studies: {jordan2020: {trials: 30}}"),
        ("settings", "render: embedded"),
    ):
        Path(f"{name}.yaml").write_text(text)
    shipped = [SOURCE.parent / "config" / "studies" / "jordan2020.yaml"]
    found = {name: own_studies([f"{name}.yaml"], shipped) for name in ("mine", "overlay", "settings")}
    assert found == {"mine": ["mine", "other"], "overlay": [], "settings": []}
    assert own_studies(["overlay.yaml", "mine.yaml"], shipped) == ["mine", "other"]
    assert own_studies([SOURCE.parent / SHIPPED], shipped) == own_studies([], shipped) == []
