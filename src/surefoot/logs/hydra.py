"""The configuration that Hydra writes beside what a job logs: ``.hydra/config.yaml`` in the job's folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from surefoot.logs.data_files import read_configuration


def job_configuration(path: Path, root: Path) -> Mapping[str, Any]:
    """The configuration of the job that wrote a file: of the nearest folder around it, up to the folder that is read,
    that has one; nothing where none has."""
    top = root.parent if root.is_file() else root
    for folder in path.parents:
        config = folder / ".hydra" / "config.yaml"
        if config.is_file():
            return read_configuration(config)
        if folder == top:
            break
    return {}
