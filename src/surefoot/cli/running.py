"""The command `run`: Snakemake with the workflow in the working folder, or with Surefoot's own if there is none."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.errors import InputError, nearest
from surefoot.workflow.configuration.configuration_files import read_yaml
from surefoot.workflow.interrupts import end_children
from surefoot.workflow.project import INSTALLED, PACKAGE, PROJECT, SOURCE, has_workflow, short_path
from surefoot.workflow.store import cache_folder
from surefoot.workflow.targets import environment_with_targets

QUIET = ("--quiet", "host", "reason", "rules")
"""Default output: errors and the number of finished jobs."""
_LOUD = {"--quiet", "-q", "--verbose", "--printshellcmds", "-p", "--dry-run", "--dryrun", "-n", "--summary"}
"""Options for the output of Snakemake; if one of them is given, `QUIET` is not added."""
_STEPS = re.compile(r"(\d+) of (\d+) steps")
"""Pattern of Snakemake's progress messages."""


def run(arguments: Sequence[str]) -> int:
    """Run Snakemake with the given arguments and return the exit status.

    Raises
    ------
    InputError
        If a configuration file is missing or unreadable.
    """
    command = snakemake_command(arguments)
    is_own = _options(arguments).snakefile is None and (not has_workflow() or Path.cwd() == PROJECT)
    environment = environment_with_targets(arguments) if is_own else None
    end_children()  # Snakemake would wait for its jobs
    return subprocess.run(command, check=False, env=environment).returncode


def run_with_progress(arguments: Sequence[str]) -> int:
    """Run Snakemake like `run`, with a one-line progress report; show the whole output only on failure."""
    end_children()
    output = []
    steps = ""
    with subprocess.Popen(
        snakemake_command(arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            output.append(line)
            found = _STEPS.match(line)
            if found:
                steps = f"{found[1]} of {found[2]} steps done"
                print(f"\r{steps}" if sys.stderr.isatty() else "", end="", file=sys.stderr, flush=True)
    if process.returncode == 0:
        print(f"\r{steps or 'nothing to be done'}", file=sys.stderr)
        return 0
    explained = [line for line in output if line.startswith("surefoot: ")]
    print("", "".join(dict.fromkeys(explained)) or "".join(output), sep="\n", end="", file=sys.stderr)
    return process.returncode if process.returncode > 0 else 128 - process.returncode  # as shells report a signal


def snakemake_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that runs Snakemake; see `run`."""
    options = _options(arguments)
    words = list(arguments)
    for file in options.configfile:
        path = own_or_shipped(Path(file))
        check_configuration_file(path)
        words = [str(path) if word == file else word for word in words]
    if INSTALLED and not options.configfile:
        _check_no_paper(words)
    if options.snakefile is None and not has_workflow():
        words = ["--snakefile", str(PROJECT / "Snakefile"), *words]
    if _LOUD.isdisjoint(words):
        words += QUIET
    use_writable_cache(Path(options.directory))
    return [sys.executable, "-m", "snakemake", *words]


def _check_no_paper(words: Sequence[str]) -> None:
    """Raise an InputError for the study of a paper, which installed packages do not include."""
    papers = {path.name for path in (SOURCE / PACKAGE / "papers").iterdir()}
    for word in papers.intersection(words):
        what = "an installed package does not include the studies of papers"
        raise InputError(f"surefoot run {word}", what, "run it in a clone of Surefoot")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the Snakemake options that determine what is run, and where."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", default=[])
    parser.add_argument("--directory", "-d", default="")
    parser.add_argument("--snakefile", "-s")
    return parser.parse_known_args(arguments)[0]


def use_writable_cache(folder: Path) -> None:
    """Use a cache in `folder` if the user's cache folder is not writable, as in many containers.

    This applies to this process and its children. An existing store is still read.
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
        what = f"nothing can be written there ({error.strerror}), so results are stored in {short_path(local_cache)}"
        print(f"surefoot: {cache}: {what}. Hint: set XDG_CACHE_HOME to another folder", file=sys.stderr)


def own_or_shipped(file: Path) -> Path:
    """Return the path of a configuration file, which may be shipped, such as config/overlays/complete.yaml."""
    shipped = PROJECT / file
    return shipped if file.parts[:1] == ("config",) and shipped.is_file() and not file.exists() else file


def check_configuration_file(path: Path) -> None:
    """Raise an InputError if a file does not exist, is not YAML in UTF-8, or has no keys."""
    content = read_yaml(path)
    if not isinstance(content, Mapping):
        what = "it is empty" if content is None else f"a {type(content).__name__} instead of a mapping of keys"
        raise InputError(short_path(path), what, "begin the file with studies:")


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
        what = f"there is no option {name}" if name.startswith("-") else f'unexpected argument "{name}"'
        return InputError("command line", what, nearest(name, options))
    return InputError("command line", message, hint)
