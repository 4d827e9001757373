"""Which files of the command line say something about a study: its page names them in the command that makes it again.

The process that plans knows these files; what looks at results later reads what that process kept beside the specs.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from surefoot.build.job import STUDY_FILES
from surefoot.build.project import PROJECT
from surefoot.configuration.places import ABSENT, content, value_at

StudyFiles = Mapping[str, Sequence[str]]
"""For a study its files, as seen from the folder that has the results; a study of the project alone has none."""


def study_files(studies: Iterable[str], sources: Sequence[Path]) -> dict[str, list[str]]:
    """The files of each study but those that the workflow reads by itself.

    sources : the files that the configuration was read from, the last winning
    """
    given = [source.absolute() for source in sources if source.is_file() and not _is_read_anyway(source)]
    files_of = {name: [_seen_from_here(source) for source in given if _says(source, name)] for name in studies}
    return {name: files for name, files in files_of.items() if files}


def kept_study_files(path: Path = STUDY_FILES) -> StudyFiles:
    """What the process that planned kept; empty where there is nothing, or a damaged file."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _says(source: Path, study: str) -> bool:
    return value_at(content(source), ("studies", study)) is not ABSENT


def _is_read_anyway(source: Path) -> bool:
    return source.absolute().parent in (PROJECT / "config", PROJECT / "config" / "studies")


def _seen_from_here(source: Path) -> str:
    """The file as it can be typed here; its name alone where it is far away, as a page tells nothing of a machine."""
    if source.is_relative_to(PROJECT / "config"):
        return source.relative_to(PROJECT).as_posix()  # which `surefoot run` finds in any folder
    here = Path.cwd()
    near = source.is_relative_to(here.parent)
    return Path(os.path.relpath(source, here)).as_posix() if near else source.name
