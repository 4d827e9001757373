"""Where the project stands: the workflow, the configuration, the pages, the records, what it needs.

In a checkout they lie around the source; an installed package carries them in a folder of its own, into which nothing
is ever written.
"""

import json
import os
import shlex
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.build.files import write_whole

PACKAGE = "surefoot"
SOURCE = Path(__file__).parents[2]
"""The folder that the package lies in."""
CARRIED = SOURCE / PACKAGE / "project"
"""Where a wheel puts the project (see `hatch_build.py`)."""
INSTALLED = CARRIED.is_dir()
PROJECT = CARRIED if INSTALLED else SOURCE.parent


def check_checkout(where: str) -> None:
    """Raise an InputError where the project may not be written to, being part of an installed package.

    where : what would write, such as ``surefoot schemas``
    """
    if INSTALLED:
        what = f"it writes into the project, which is here part of an installed package ({CARRIED})"
        raise InputError(where, what, "run it in a clone of Surefoot")


REPORT = ("altair", "jinja2", "pypandoc", "snakemake", "vl_convert")
"""Modules of the packages that pyproject.toml lists under this extra."""
HINT = 'pip install "surefoot[report]"'


def lacking(modules: Iterable[str]) -> list[str]:
    """The names of the modules that are not installed."""
    return [module for module in modules if find_spec(module) is None]


def check_report(where: str) -> None:
    """Raise an InputError where a package of the extra is not installed.

    where : what needs it, such as ``surefoot run``
    """
    if missing := lacking(REPORT):
        raise InputError(where, f"it needs what is not installed ({', '.join(missing)})", HINT)


PLANNED_BY = Path("results/spec/.command")
"""Where the options of the last command that planned jobs here are kept: a JSON list of texts."""


def keep_options(options: Sequence[str]) -> None:
    """Keep the options of Snakemake that decide the configuration, as `read_command_line` finds them."""
    if kept_options() != list(options) or not PLANNED_BY.is_file():
        write_whole(PLANNED_BY, json.dumps(list(options)) + "\n")


def kept_options() -> list[str]:
    """The options that `keep_options` kept last; empty where it never did, or where its file is damaged."""
    try:
        options = json.loads(PLANNED_BY.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [str(option) for option in options] if isinstance(options, list) else []


SNAKEFILES = ("Snakefile", "snakefile", "workflow/Snakefile", "workflow/snakefile")
"""What Snakemake takes for the workflow of the folder in which it is started."""


def has_workflow() -> bool:
    """Whether this folder has a workflow of its own, which is then run in place of the project's."""
    return any(Path(name).is_file() for name in SNAKEFILES)


def command(*targets: str) -> str:
    """The command for these targets with the options that were kept, as it is typed into a shell."""
    program, options = ["snakemake"], kept_options()
    if not has_workflow():
        program = ["surefoot", "run"]
        if options[:2] == ["--snakefile", str(PROJECT / "Snakefile")]:  # which it adds by itself
            options = options[2:]
    # The targets first: Snakemake takes all words after --configfile for files, up to the next option.
    return shlex.join([*program, *targets, *options])


PAGES = PROJECT / "reports"
DOCS = PROJECT / "docs"
PUBLISHED = PROJECT / "config" / "published"
RECORDS = PAGES / "records"


def kept(path: Path) -> str | None:
    """Path of a file that is kept with the project, where there is one."""
    return relative(path) if path.is_file() else None


def short_path(path: Path) -> str:
    """The path as a person writes it: from the working folder where it lies below that."""
    path = Path(path).absolute()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def relative(path: Path) -> str:
    """The path as seen from the working folder, so that specs do not change when a checkout moves."""
    return os.path.relpath(path)
