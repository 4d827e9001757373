"""The commit of the checkout that Surefoot runs from."""

import subprocess
from pathlib import Path

from surefoot.build.project import INSTALLED, PROJECT

_DIGITS = 12


def commit_of_checkout(folder: Path = PROJECT) -> str:
    """Its first digits, with the words "with changes" where files differ from it; empty where there is no checkout,
    as where Surefoot is an installed package, or no git."""
    if INSTALLED or not (folder / ".git").exists():
        return ""
    commit = _git(folder, "rev-parse", f"--short={_DIGITS}", "HEAD")
    if not commit:
        return ""
    changes = _git(folder, "status", "--porcelain")
    return commit if changes == "" else f"{commit} with changes"


def _git(folder: Path, *words: str) -> str | None:
    """What git says; None where it fails."""
    # It would renew the index otherwise, for which a status that somebody else asks for has to wait.
    command = ["git", "--no-optional-locks", "-C", str(folder), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError, UnicodeDecodeError):
        return None
    return done.stdout.strip()
