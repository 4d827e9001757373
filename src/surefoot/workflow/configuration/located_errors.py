"""Add the configuration file, and the study, to the location of errors in settings."""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.errors import InputError
from surefoot.runs.setting_errors import SettingError
from surefoot.workflow.configuration.configuration_files import read_configuration, where_given, without_null

FILES_VARIABLE = "SUREFOOT_CONFIGURATION"
"""Environment variable that lists the configuration files, for error messages of jobs."""


@contextlib.contextmanager
def located(given: Mapping[str, Any], sources: Sequence[Path]) -> Iterator[None]:
    """Add the file to the location of a SettingError raised in the block.

    Parameters
    ----------
    given : content of the merged files
    sources : files of the configuration; later ones take precedence
    """
    try:
        yield
    except SettingError as error:
        raise InputError(where_given(error.keys, without_null(given), sources), error.what, error.hint) from None


@contextlib.contextmanager
def located_in(study: str) -> Iterator[None]:
    """Add the study to the location of a SettingError raised in a job, and the configuration file if it is known."""
    try:
        yield
    except SettingError as error:
        keys = ("studies", study, *error.keys)
        files = [Path(file) for file in os.environ.get(FILES_VARIABLE, "").split(os.pathsep) if Path(file).is_file()]
        if not files:
            raise SettingError(keys, error.what, error.hint) from error
        where = where_given(keys, without_null(read_configuration(files)), files)
        raise InputError(where, error.what, error.hint) from error
