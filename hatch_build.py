"""What a wheel carries beside the package: the files of the project that a run opens (see `surefoot.workflow.project`).

An editable installation carries none of them: it runs what stands in the checkout.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface[Any]):
    """Puts the project into wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files and folders, which match patterns in pyproject.toml, and where each goes."""
        if version != "editable":
            for path in (path for pattern in self.config["project"] for path in Path(self.root).glob(pattern)):
                build_data["force_include"][str(path)] = f"surefoot/project/{path.relative_to(self.root).as_posix()}"
