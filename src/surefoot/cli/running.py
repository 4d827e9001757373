"""Snakemake started by `surefoot run`: what it would answer with a traceback is looked at before."""

import logging
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import surefoot
from surefoot.build.errors import InputError
from surefoot.configuration.yaml_files import read_yaml, short_path
from surefoot.errors import shown

ONLY_ERRORS = "--only-errors"
"""The one option that Snakemake does not have: its `--quiet all` hides errors as well."""
SNAKEFILES = ("Snakefile", "snakefile", "workflow/Snakefile", "workflow/snakefile")
"""What Snakemake takes for the workflow of the folder in which it is started."""


def run(arguments: Sequence[str]) -> int:
    """Run Snakemake with these arguments; in a folder without a workflow, with this project's.

    With `--only-errors` among them, Snakemake itself says nothing but warnings and errors.

    Raises
    ------
    InputError
        for a configuration file of the command line that is not there or cannot be read, and for values of its option
        --config that are no keys with values
    """
    from snakemake.cli import main, parse_args

    if ONLY_ERRORS in arguments:
        logging.getLogger("snakemake.logging").addFilter(lambda record: record.levelno >= logging.WARNING)
    arguments = [argument for argument in arguments if argument != ONLY_ERRORS]
    sys.argv = ["snakemake", *arguments]  # the name that its own messages begin with
    options = parse_args(arguments)[1]
    for file in options.configfile or ():
        check_configuration_file(Path(file))
    check_values(options.config or ())
    if options.snakefile is None and not any(Path(name).is_file() for name in SNAKEFILES):
        arguments = ["--snakefile", str(project_snakefile()), *arguments]
        sys.argv = ["snakemake", *arguments]
    main(arguments)  # ends the process
    return 0


def check_configuration_file(path: Path) -> None:
    """Raises InputError for a file that is not there, is not YAML in UTF-8, or has no keys."""
    if path.exists() and not path.is_file() and not path.is_dir():
        what = "a pipe or a device, which cannot be read twice"
        raise InputError(short_path(path), what, "save the configuration as a file")
    content = read_yaml(path)
    if content is None:
        raise InputError(short_path(path), "nothing is given here", "begin with studies:")
    if not isinstance(content, Mapping):
        raise InputError(short_path(path), f"a {type(content).__name__} where keys are wanted", "begin with studies:")


def check_values(values: Sequence[str]) -> None:
    """Raises InputError for a value of --config that Snakemake cannot read."""
    from snakemake.cli import parse_config

    for value in values:
        try:
            parse_config([value])
        except (ValueError, AssertionError):  # the second where YAML takes the value for nothing
            what = f"--config {shown(value)} does not give a key a value"
            raise InputError("command line", what, "such as --config render=embedded") from None


def project_snakefile() -> Path:
    """The Snakefile of the clone that this package is installed from."""
    path = Path(surefoot.__file__).parents[2] / "Snakefile"
    if not path.is_file():
        raise InputError(
            str(Path.cwd()), "no Snakefile, and surefoot was installed without its own", "run it in a clone of Surefoot"
        )
    return path
