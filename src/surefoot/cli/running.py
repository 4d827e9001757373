"""Start Snakemake for `surefoot run`, and report what a run did.

The command line is checked first, since Snakemake answers some mistakes with a traceback, and read again by the
Snakefile. At its end, a run prints the jobs done and the path of its page.
"""

import argparse
import contextlib
import io
import logging
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.errors import SENTENCE, InputError, end_children, nearest
from surefoot.build.job import Job
from surefoot.build.project import PACKAGE, PROJECT, has_workflow, short_path
from surefoot.build.store import cache_folder
from surefoot.configuration.places import read_configuration, read_yaml
from surefoot.errors import shown
from surefoot.reporting.site import LIST
from surefoot.rounding import duration

OTHER_MODES = (
    *("dag", "rulegraph", "filegraph", "d3dag", "summary", "detailed_summary", "report", "lint", "archive", "touch"),
    *("list_rules", "list_target_rules", "list_changes", "list_untracked", "unlock", "delete_all_output"),
)
"""Names in Snakemake's parser of options, other than --dry-run, with which it runs no job."""

LOOKING = frozenset({"check", "why"})
"""Targets that only inspect the results."""
QUIET = ("--quiet", "host", "reason", "rules")
"""Default output options: Snakemake shows errors and the number of finished jobs."""
_LOUD = ("quiet", "verbose", "printshellcmds", "debug_dag")
"""Names in Snakemake's parser of options that control the amount of output."""
MADE_PAGES = Path("results/render") / LIST
_MOST_FAILURES = 20

HINT = "`surefoot run --help` shows what is often used, `snakemake --help` all"


def run(arguments: Sequence[str]) -> int:
    """Run Snakemake with these arguments; in a folder without a workflow, use this project's workflow.

    Raises
    ------
    InputError
        if Snakemake does not know an option, a configuration file is missing or unreadable, or a value of --config is
        not a key with a value
    """
    arguments = list(arguments)
    options = snakemake_options(arguments)
    for file in map(str, options.configfile or ()):
        path = own_or_shipped(Path(file))
        check_configuration_file(path)
        arguments = [str(path) if word == file else word for word in arguments]
    wanted = command_line(options)
    if (wanted.makes or wanted.dry_run) and not wanted.targets:
        arguments = [*own_studies(options.configfile or ()), *arguments]
    if options.snakefile is None and not has_workflow():
        arguments = ["--snakefile", str(PROJECT / "Snakefile"), *arguments]
    if wanted.makes and not any(getattr(options, name) for name in _LOUD):
        arguments = [*arguments, *QUIET]
    use_writable_cache(Path(options.directory or ""))
    start_snakemake(arguments)
    tell_page()
    return 0


def start_snakemake(arguments: Sequence[str]) -> None:
    """Run Snakemake's main program; exits the process on failure.

    The Snakefile reads the arguments from `sys.argv`.
    """
    from snakemake.cli import main

    # Drop one message per file of shipped studies, which appears whenever a user names a file.
    logging.getLogger("snakemake.logging").addFilter(lambda record: "is extended by" not in record.getMessage())
    sys.argv = ["snakemake", *arguments]
    end_children()  # otherwise Snakemake would wait for them
    try:
        main(list(arguments))
    except SystemExit as end:
        if end.code:
            raise


def use_writable_cache(folder: Path) -> None:
    """Use a cache in `folder` if the user's cache folder is not writable, as in many containers.

    Applies to this process and its children. An existing store is still read.
    """
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache):
            return
    except OSError as error:
        local_cache = folder.absolute() / ".cache"
        if (store := cache / PACKAGE).is_dir():
            os.environ.setdefault("SUREFOOT_STORE", str(store))
        os.environ["XDG_CACHE_HOME"] = str(local_cache)
        local_cache.mkdir(parents=True, exist_ok=True)
        what = (
            f"nothing can be written there ({error.strerror}), so what is computed is kept in {short_path(local_cache)}"
        )
        print(f"surefoot: {cache}: {what}. Hint: XDG_CACHE_HOME names another folder", file=sys.stderr)


def own_studies(files: Sequence[str | Path]) -> list[str]:
    """Return the studies in a user's configuration files, which are the default targets.

    Returns [], so that everything is made, in a folder with a workflow, and for files that change or omit shipped
    studies.
    """
    if has_workflow():
        return []
    contents: list[Any] = [read_yaml(own_or_shipped(Path(file))) for file in files]
    if not all(isinstance(content, Mapping) and content.get("shipped_studies", True) for content in contents):
        return []
    names = dict.fromkeys(str(name) for content in contents for name in content.get("studies") or ())
    if not names:
        return []
    shipped = read_configuration(sorted((PROJECT / "config" / "studies").glob("*.yaml")))["studies"]
    return [] if shipped.keys() & names.keys() else list(names)


def snakemake_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line with Snakemake's parser.

    Raises
    ------
    InputError
        if an option is unknown, or a value of --config is invalid
    """
    from snakemake.cli import get_argument_parser, parse_args, parse_config
    from snakemake.exceptions import CliException

    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors):  # it says which profile it uses, and again when it runs
            options: argparse.Namespace = parse_args(list(arguments))[1]
    except CliException as error:
        raise InputError("command line", str(error), HINT) from None
    except SystemExit as end:
        if not end.code:
            raise
        what = errors.getvalue().strip().rpartition("error: ")[2].splitlines()[-1]
        raise mistyped(what, get_argument_parser().format_help(), HINT) from None
    for value in options.config or ():
        try:
            parse_config([value])
        except (ValueError, AssertionError):  # AssertionError if the value is null in YAML
            what = f"--config {shown(value)} does not give a key a value"
            raise InputError("command line", what, "such as --config render=embedded") from None
    return options


def own_or_shipped(file: Path) -> Path:
    """Return a configuration file, or the project's if there is none here, such as config/overlays/complete.yaml."""
    shipped = PROJECT / file
    return shipped if file.parts[:1] == ("config",) and shipped.is_file() and not file.exists() else file


def check_configuration_file(path: Path) -> None:
    """Raise an InputError if a file does not exist, is not YAML in UTF-8, or has no keys."""
    content = read_yaml(path)
    if not isinstance(content, Mapping):
        what = "nothing is given here" if content is None else f"a {type(content).__name__} where keys are wanted"
        raise InputError(short_path(path), what, "begin with studies:")


class CommandLine(NamedTuple):
    """Parsed command line of Snakemake.

    targets : names of rules and files; empty for everything
    makes : True if results will be made
    dry_run : True if jobs are only printed
    options : options that determine the configuration, as typed
    """

    targets: list[str]
    makes: bool
    dry_run: bool
    options: list[str]


def read_command_line(arguments: Sequence[str]) -> CommandLine | None:
    """Parse a process's arguments to Snakemake; None if they belong to another program."""
    if "snakemake" not in Path(arguments[0]).parts[-2:]:
        return None
    from snakemake.cli import parse_args

    with contextlib.redirect_stderr(io.StringIO()):  # it has already said which profile it uses
        return command_line(parse_args(list(arguments[1:]))[1])


def command_line(options: argparse.Namespace) -> CommandLine:
    """Return the parsed command line from the options of Snakemake's parser.

    Raises
    ------
    InputError
        if there are 0 cores
    """
    if options.cores == 0 and not options.dryrun:
        raise InputError("command line: --cores", "with 0 cores nothing can be made", "at least 1, or all")
    targets = [str(target) for target in options.targets]
    looks = bool(targets) and LOOKING.issuperset(targets)
    modes = [mode for mode in OTHER_MODES if mode != "report" or not options.report_after_run]
    runs = not looks and not any(getattr(options, mode) for mode in modes)
    deciding: list[str] = []
    for name in ("snakefile", "directory", "configfile", "config"):
        if value := getattr(options, name):
            deciding += [f"--{name}", *map(str, value if isinstance(value, list) else [value])]
    return CommandLine(targets, runs and not options.dryrun, runs and options.dryrun, deciding)


def mistyped(message: str, usage: str, hint: str) -> InputError:
    """Return the error for a command line, given the message of argparse.

    Parameters
    ----------
    message : message of argparse
    usage : usage of the parser with all its options, to suggest the nearest option
    hint : hint for other errors
    """
    unknown = message.removeprefix("unrecognized arguments: ").split()
    if unknown and message.startswith("unrecognized arguments: "):
        name = unknown[0].partition("=")[0]
        options = sorted(set(re.findall(r"--[a-z][a-z-]*", usage)))
        what = f"there is no option {name}" if name.startswith("-") else f'"{name}" is one word too many'
        return InputError("command line", what, nearest(name, options))
    return InputError("command line", message, hint)


def told_at_the_end(jobs: Sequence[Job], since: float, succeeded: bool) -> Iterator[str]:
    """Yield lines on the jobs that started since a time, or nothing if there are none.

    Parameters
    ----------
    jobs : jobs behind the targets of the run
    since : seconds since the epoch
    succeeded : True if the run made all targets
    """
    ran = [(job, error) for job in jobs if (error := error_in_log(Path(job.log), since)) is not None]
    if not ran:
        return
    done = [job for job, error in ran if not error]
    failed = [(job, error) for job, error in ran if error and not error.startswith(SENTENCE[0])]
    files = sum(len(job.outputs) for job in done)
    yield f"jobs done: {len(done):,} in {duration(time.time() - since)}; results: {files:,}"
    for job, error in failed[:_MOST_FAILURES]:
        yield f"failed: {job.stage} {job.study}/{job.part}: {error}"
        yield f"    {job.log}"
    if len(failed) > _MOST_FAILURES:
        yield f"and {len(failed) - _MOST_FAILURES} more failed"
    if not succeeded:
        yield "Run the same command again to go on: what is done is not done again."


_PAGE: list[Path] = []
"""Page of the targets of this process, until its path is printed."""


def keep_page(jobs: Sequence[Job], options: Sequence[str]) -> None:
    """Remember the page for `tell_page`: the home page, else the page of the first study.

    Parameters
    ----------
    jobs : jobs behind the targets of the run, in the order of the plan
    options : options of the command line, from `read_command_line`
    """
    pages = {job.study: Path(job.outputs["page"]) for job in jobs if "page" in job.outputs}
    if pages:
        words = list(options)
        start = Path(words[words.index("--directory") + 1] if "--directory" in words else "")
        _PAGE[:] = [start / (pages.get("index") or next(iter(pages.values())))]


def tell_page() -> None:
    """Print the path of the page, if there is one, relative to the original folder, and only once."""
    if _PAGE:
        print(_PAGE.pop(), flush=True)


def error_in_log(log: Path, since: float) -> str | None:
    """Return the error of a job in its log, "" if it succeeded, or None if the log is older than `since`.

    since : seconds since the epoch
    """
    try:
        text = log.read_text(encoding="utf-8", errors="replace") if log.stat().st_mtime >= since else ""
    except OSError:
        return None
    if not text:
        return None
    if re.search("^ended +after ", text, re.MULTILINE):
        return ""
    if not re.search("^failed +after ", text, re.MULTILINE):
        return "ended without a word: killed, perhaps for the memory or the time that it took"
    stated = re.search("^error +(.+)$", text, re.MULTILINE)
    return stated[1] if stated else text.rstrip().rpartition("\n")[2]
