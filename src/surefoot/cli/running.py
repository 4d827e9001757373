"""Snakemake's command line: started by `surefoot run`, which looks before at what Snakemake would answer with a
traceback, and read again by the Snakefile; and what a run did and where its page is, said at its end."""

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
"""Options by their names in Snakemake's parser, other than --dry-run, with which people have it run no job."""

LOOKING = frozenset({"check", "why"})
"""Targets that look at the results as they are."""
QUIET = ("--quiet", "host", "reason", "rules")
"""Where Snakemake makes something it shows errors and how many jobs are done, unless an option asks otherwise."""
_LOUD = ("quiet", "verbose", "printshellcmds", "debug_dag")
"""Snakemake's options, by their names in its parser, that say how much it is to show."""
MADE_PAGES = Path("results/render") / LIST
_MOST_FAILURES = 20

HINT = "`surefoot run --help` shows what is often used, `snakemake --help` all"


def run(arguments: Sequence[str]) -> int:
    """Run Snakemake with these arguments; in a folder without a workflow, with this project's.

    Raises
    ------
    InputError
        for an option that Snakemake does not know, for a configuration file of the command line that is not there or
        cannot be read, and for values of its option --config that are no keys with values
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
    """Run Snakemake's own program; the process ends where it fails.

    The Snakefile reads the arguments from `sys.argv`.
    """
    from snakemake.cli import main

    # One line for each file of shipped studies, whenever a user names a file.
    logging.getLogger("snakemake.logging").addFilter(lambda record: "is extended by" not in record.getMessage())
    sys.argv = ["snakemake", *arguments]
    end_children()  # for whose work Snakemake would wait
    try:
        main(list(arguments))
    except SystemExit as end:
        if end.code:
            raise


def use_writable_cache(folder: Path) -> None:
    """Let this process, and those that it starts, keep caches in a folder where nothing can be written in that of the
    user, as in many containers; a store that is there can still be read."""
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache):
            return
    except OSError as error:
        own = folder.absolute() / ".cache"
        if (store := cache / PACKAGE).is_dir():
            os.environ.setdefault("SUREFOOT_STORE", str(store))
        os.environ["XDG_CACHE_HOME"] = str(own)
        own.mkdir(parents=True, exist_ok=True)
        what = f"nothing can be written there ({error.strerror}), so what is computed is kept in {short_path(own)}"
        print(f"surefoot: {cache}: {what}. Hint: XDG_CACHE_HOME names another folder", file=sys.stderr)


def own_studies(files: Sequence[str | Path]) -> list[str]:
    """The studies of a user's configuration files, which are what is made of them where no target is named.

    None in a folder with a workflow of its own, of files that change a shipped study, and of files that leave the
    shipped studies out: then everything is made.
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
    """What Snakemake's own parser makes of a command line.

    Raises
    ------
    InputError
        for an option that it does not know, and for a value of --config that it cannot read
    """
    from snakemake.cli import get_argument_parser, parse_args, parse_config
    from snakemake.exceptions import CliException

    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):  # it says which profile it uses, and again when it runs
            options: argparse.Namespace = parse_args(list(arguments))[1]
    except CliException as error:
        raise InputError("command line", str(error), HINT) from None
    except SystemExit as end:
        if not end.code:
            raise
        what = said.getvalue().strip().rpartition("error: ")[2].splitlines()[-1]
        raise mistyped(what, get_argument_parser().format_help(), HINT) from None
    for value in options.config or ():
        try:
            parse_config([value])
        except (ValueError, AssertionError):  # the second where YAML takes the value for nothing
            what = f"--config {shown(value)} does not give a key a value"
            raise InputError("command line", what, "such as --config render=embedded") from None
    return options


def own_or_shipped(file: Path) -> Path:
    """A configuration file, or that of the project where there is none here, such as config/overlays/complete.yaml."""
    shipped = PROJECT / file
    return shipped if file.parts[:1] == ("config",) and shipped.is_file() and not file.exists() else file


def check_configuration_file(path: Path) -> None:
    """Raises InputError for a file that is not there, is not YAML in UTF-8, or has no keys."""
    content = read_yaml(path)
    if not isinstance(content, Mapping):
        what = "nothing is given here" if content is None else f"a {type(content).__name__} where keys are wanted"
        raise InputError(short_path(path), what, "begin with studies:")


class CommandLine(NamedTuple):
    """What is asked for.

    targets : names of rules and files; none asks for everything
    makes : whether results will be made
    dry_run : whether it will only be said which
    options : those that decide the configuration, as they were typed
    """

    targets: list[str]
    makes: bool
    dry_run: bool
    options: list[str]


def read_command_line(arguments: Sequence[str]) -> CommandLine | None:
    """What a process's arguments ask Snakemake for; None where they are those of another program."""
    if "snakemake" not in Path(arguments[0]).parts[-2:]:
        return None
    from snakemake.cli import parse_args

    with contextlib.redirect_stderr(io.StringIO()):  # it has already said which profile it uses
        return command_line(parse_args(list(arguments[1:]))[1])


def command_line(options: argparse.Namespace) -> CommandLine:
    """What is asked for, by what Snakemake's parser made of a command line.

    Raises
    ------
    InputError
        for no cores
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
    """What is wrong with a command line, by what argparse says of it.

    Parameters
    ----------
    message : of argparse
    usage : of the parser, with all its options; one that is not among them gets the nearest for a hint
    hint : for all else
    """
    unknown = message.removeprefix("unrecognized arguments: ").split()
    if unknown and message.startswith("unrecognized arguments: "):
        name = unknown[0].partition("=")[0]
        options = sorted(set(re.findall(r"--[a-z][a-z-]*", usage)))
        what = f"there is no option {name}" if name.startswith("-") else f'"{name}" is one word too many'
        return InputError("command line", what, nearest(name, options))
    return InputError("command line", message, hint)


def told_at_the_end(jobs: Sequence[Job], since: float, succeeded: bool) -> Iterator[str]:
    """Lines on what became of the jobs that started since a time; none where no job did.

    Parameters
    ----------
    jobs : that the run's targets ask for
    since : seconds since the epoch
    succeeded : whether the run made all that it was asked for
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
"""The page of what this process was asked for, until its path is printed."""


def keep_page(jobs: Sequence[Job], options: Sequence[str]) -> None:
    """Keep the page of what was asked for, for `tell_page`: the home page, else that of the first study.

    Parameters
    ----------
    jobs : that the run's targets ask for, in the order of the plan
    options : of the command line, as `read_command_line` finds them
    """
    pages = {job.study: Path(job.outputs["page"]) for job in jobs if "page" in job.outputs}
    if pages:
        given = list(options)
        start = Path(given[given.index("--directory") + 1] if "--directory" in given else "")
        _PAGE[:] = [start / (pages.get("index") or next(iter(pages.values())))]


def tell_page() -> None:
    """Print the path of that page as seen from where the command was typed, where there is one, and only once."""
    if _PAGE:
        print(_PAGE.pop(), flush=True)


def error_in_log(log: Path, since: float) -> str | None:
    """What went wrong with a job, by its log (see `surefoot.build.log`): "" where it ended well; None where the log was
    not written since a time.

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
