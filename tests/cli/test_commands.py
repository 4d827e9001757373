"""The commands as people meet them: help, examples, mistakes and exit statuses."""

import errno
import os
import shlex

import pytest

import surefoot
from surefoot.cli import reading
from surefoot.cli.commands import SHOWN, main, parsed
from surefoot.cli.running import snakemake_command


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_the_overview_shows_what_people_use(arguments, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "82")  # argparse leaves two free
    with pytest.raises(SystemExit) as end:
        main(arguments)
    lines = capsys.readouterr().out.splitlines()
    assert not end.value.code and max(map(len, lines)) <= 80
    words = [line.split()[0] for line in lines if line.startswith("    ")]
    assert words == list(SHOWN)
    assert {"0", "1", "2", "130"} <= {line.split()[0] for line in lines if line.strip()}, "exit statuses"


def test_the_version(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"surefoot {surefoot.__version__}\n"


@pytest.mark.parametrize("name", SHOWN)
def test_the_help_of_a_command_has_examples_that_it_understands(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "82")  # argparse leaves two free
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert not end.value.code and lines[0].startswith(f"usage: surefoot {name}") and max(map(len, lines)) <= 80
    examples = [shlex.split(line) for line in lines if line.startswith("  surefoot ")]
    assert examples
    for _, command, *words in examples:
        assert command == name
        if name != "run":
            parsed([name, *words])
        elif "--configfile" not in words:
            assert snakemake_command(words)[-len(words) :] or not words


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("reprot runs", 'unknown command "reprot". Hint: did you mean "report"?'),
        ("follw", "Hint: use one of report, read, export, run, check, prune"),
        ("-x", "unknown option -x for this command. Hint: use one of report, read, export, run"),
        ("report runs --patern x", 'there is no option --patern. Hint: did you mean "--pattern"?'),
        ("prune --day 2 -z", "there is no option -z. Hint: use one of --days, "),
        ("prune --days -1", "--days: -1 is not a number of days. Hint: use 0 or more"),
        ("prune --days nan", "--days: nan is not a number of days. Hint: use 0 or more"),
        ("report", "the following arguments are required: folder. Hint: see `surefoot report --help`"),
        ("report runs --cores two", "invalid int value: 'two'. Hint: see `surefoot report --help`"),
        ("check nosuch", 'unexpected argument "nosuch". Hint: use one of --directory, '),
    ],
)
def test_a_mistyped_command_line_is_one_sentence_with_a_hint(line, said, capsys):
    assert main(line.split()) == 2
    found = capsys.readouterr()
    assert found.err.startswith("surefoot: command line: ") and said in found.err
    assert found.err.count("\n") == 1 and found.out == ""


def test_what_the_machine_refuses_is_a_failure_and_no_mistake(monkeypatch, capsys):
    def full(*given):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "runs.parquet")

    monkeypatch.setattr(reading, "read_folder", full)
    assert main(["read", "runs"]) == 1
    assert "runs.parquet: no space is left there" in capsys.readouterr().err
