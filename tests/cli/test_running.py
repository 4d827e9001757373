"""`surefoot run`: Snakemake, but for files that it would answer with a traceback; and what a run says at its end."""

import errno
import json
import os
import time
from pathlib import Path

import pytest
from surefoot.cli.workflow import remove_damaged_records

import surefoot
from surefoot.build.errors import InputError
from surefoot.build.job import Job
from surefoot.build.log import job_log, logger
from surefoot.cli import running
from surefoot.cli.commands import main
from surefoot.cli.running import own_studies, told_at_the_end, use_writable_cache

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
        (b"- studies\n", "mine.yaml: a list where keys are wanted. Hint: begin with studies:"),
        (b"", "mine.yaml: nothing is given here. Hint: begin with studies:"),
        (b"# studies:\n", "mine.yaml: nothing is given here. Hint: begin with studies:"),
        (b"a: 1\na: 2\n", "mine.yaml: a: given twice, in lines 1 and 2. Hint: keep one of them"),
    ],
)
def test_a_configuration_file_that_cannot_be_read_is_one_sentence(content, said, tmp_path, refused):
    if content is not None:
        tmp_path.joinpath("mine.yaml").write_bytes(content)
    assert refused("--configfile", "mine.yaml") == f"surefoot: {said}\n"


def test_what_is_no_file_in_the_place_of_a_configuration_file_is_one_sentence(tmp_path, refused):
    tmp_path.joinpath("config").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert "config: a folder, and no configuration file. Hint: name a YAML" in refused("--configfile", "config")
    assert "pipe: it leads to a pipe, a device or a socket, not to a file of data. Hint:" in refused(
        "--configfile", "pipe"
    )


@pytest.mark.parametrize("value", ["x=1", "render", "=auto", "studies.example=1", "render=#auto"])
def test_a_setting_that_gives_no_key_a_value_is_one_sentence(value, refused):
    said = f"command line: --config '{value}' does not give a key a value. Hint: such as --config render=embedded"
    assert refused("--config", "render=auto", value) == f"surefoot: {said}\n"


@pytest.mark.parametrize("words", [["run", "--cores", "0"], ["report", "scores.csv", "--cores", "0"]])
def test_without_cores_nothing_is_begun(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert "--cores: with 0 cores nothing can be made. Hint: at least 1" in capsys.readouterr().err
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


def test_the_workflow_of_the_folder_is_run_and_else_that_of_the_clone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    started = []
    monkeypatch.setattr(running, "start_snakemake", started.append)
    assert running.run(["--dry-run", "example"]) == 0
    assert started == [["--snakefile", str(SOURCE.parent / "Snakefile"), "--dry-run", "example"]]
    tmp_path.joinpath("Snakefile").touch()
    running.run(["--dry-run"])
    assert started[1] == ["--dry-run"]


def test_an_overlay_of_the_project_is_found_from_any_folder_and_an_own_file_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    started = []
    monkeypatch.setattr(running, "start_snakemake", started.append)
    shipped = "config/overlays/complete.yaml"
    running.run(["example", "--dry-run", "--configfile", shipped])
    assert started[0][-1] == str(SOURCE.parent / shipped)
    tmp_path.joinpath("config/overlays").mkdir(parents=True)
    tmp_path.joinpath(shipped).write_text("studies: {}\n")
    running.run(["example", "--dry-run", "--configfile", shipped])
    assert started[1][-1] == shipped
    with pytest.raises(InputError, match="no such configuration file"):
        running.run(["example", "--configfile", "config/overlays/none.yaml"])
    with pytest.raises(InputError, match="no such configuration file"):
        running.run(["example", "--configfile", "environment.yml"])


def test_of_a_users_file_its_own_studies_are_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("mine", "studies: {mine: {}, other: {}}"),
        ("overlay", "studies: {jordan2020: {trials: 30}}"),
        ("report", "shipped_studies: false\nstudies: {runs: {}}"),
        ("settings", "render: embedded"),
    ):
        (tmp_path / f"{name}.yaml").write_text(text)
    assert own_studies(["mine.yaml", "settings.yaml"]) == ["mine", "other"]
    assert own_studies([]) == own_studies(["overlay.yaml"]) == own_studies(["report.yaml"]) == []
    assert own_studies(["mine.yaml", "overlay.yaml"]) == own_studies(["config/overlays/complete.yaml"]) == []
    (tmp_path / "Snakefile").touch()
    assert own_studies(["mine.yaml"]) == [], "a workflow of its own says itself what it makes"


def test_records_of_snakemake_that_are_damaged_are_deleted_before_it_reads_them(tmp_path):
    """It ends with a traceback where a record is no UTF-8 or no object; each bit of one is flipped."""
    record = b'{"rule": "collect", "starttime": 1.5, "log": []}'
    folder = tmp_path / "metadata" / "@deep"
    folder.mkdir(parents=True)
    (folder / "intact").write_bytes(record)
    for bit in range(8 * len(record)):
        damaged = bytearray(record)
        damaged[bit // 8] ^= 1 << bit % 8
        (folder / f"{bit}").write_bytes(damaged)
    (folder / "list").write_bytes(b"[]")
    remove_damaged_records(tmp_path / "metadata")
    kept = {path.name: path for path in folder.iterdir()}
    assert "intact" in kept and "list" not in kept and len(kept) < 8 * len(record)
    assert all(isinstance(json.loads(path.read_text(encoding="utf-8")), dict) for path in kept.values())
    remove_damaged_records(tmp_path / "none")


def job(part):
    return Job("simulate", "mine", part, "work", {}, (), {}, {"runs": f"results/simulate/mine/{part}.parquet"})


def ran(part, error=None, hit=False):
    with job_log(log_of(part), "title", {}):
        if hit:
            logger.info("store     hit: nothing computed")
        if error is not None:
            raise error


def log_of(part):
    return Path(job(part).log)


@pytest.fixture
def started(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return time.time() - 3600


def test_what_was_done(started):
    assert list(told_at_the_end([job("ppo")], started, True)) == [], "a run that did nothing says nothing"
    ran("ppo")
    ran("sarsa", hit=True)
    told = list(told_at_the_end([job("ppo"), job("sarsa"), job("q")], started, True))
    assert told == ["jobs done: 2 in 60 min; results: 2"]
    os.utime(log_of("ppo"), (started - 1, started - 1))  # of an earlier run
    assert list(told_at_the_end([job("ppo"), job("sarsa")], started, True)) == ["jobs done: 1 in 60 min; results: 1"]


def test_what_failed_with_its_sentence_and_its_log(started):
    ran("ppo")
    with pytest.raises(InputError):
        ran("sarsa", InputError("mine.csv", "no such file", "put it back"))
    with pytest.raises(ZeroDivisionError):
        ran("q", ZeroDivisionError("division by zero"))
    with pytest.raises(KeyboardInterrupt):  # an interruption is not a failure
        ran("interrupted", KeyboardInterrupt())
    log_of("killed").write_text(log_of("ppo").read_text().partition("memory")[0])
    told = list(told_at_the_end([job(part) for part in ("ppo", "sarsa", "q", "interrupted", "killed")], started, False))
    assert told[1:] == [
        "failed: simulate mine/sarsa: mine.csv: no such file. Hint: put it back",
        "    results/logs/simulate/mine/sarsa.log",
        "failed: simulate mine/q: ZeroDivisionError: division by zero",
        "    results/logs/simulate/mine/q.log",
        "failed: simulate mine/killed: ended without a word: killed, perhaps for the memory or the time that it took",
        "    results/logs/simulate/mine/killed.log",
        "Run the same command again to go on: what is done is not done again.",
    ]
