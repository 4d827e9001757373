"""Check the targets of `surefoot run`. The workflow does it, since only the workflow knows their names."""

import os
import re
from collections.abc import Collection, Sequence
from itertools import takewhile
from pathlib import Path

from surefoot.errors import InputError, near

_VARIABLE = "SUREFOOT_TARGETS"
"""Environment variable with the targets that `surefoot run` passes to Snakemake."""
_FLAGS = ("--dry-run", "--dryrun", "-n", "--verbose", "--printshellcmds", "-p")
"""Frequent options without values."""
_NAME = re.compile(r"\w+")


def environment_with_targets(words: Sequence[str]) -> dict[str, str]:
    """Return the environment of a Snakemake process, with the targets in front of all options that may have values.

    Later words are not included, since they may be values.
    """
    others = [word for word in words if word not in _FLAGS]
    return os.environ | {_VARIABLE: " ".join(takewhile(lambda word: not word.startswith("-"), others))}


def check_targets(targets: Collection[str], rules: Collection[str]) -> None:
    """Check that each name given to `surefoot run` is a target; paths and names of rules are left to Snakemake.

    Parameters
    ----------
    targets : names of the targets of the configuration
    rules : names of rules

    Raises
    ------
    InputError
        If a name is neither a target nor a rule nor a file.
    """
    for word in os.environ.get(_VARIABLE, "").split():
        is_rule = word in rules or word.startswith("draw_")
        if _NAME.fullmatch(word) and word not in targets and not is_rule and not Path(word).exists():
            close = " or ".join(f'"{name}"' for name in near(word, targets)[:3])
            listing = "`surefoot run --list-rules` lists all names; add --configfile FILE for studies in your own file"
            hint = f"did you mean {close}? {listing}" if close else listing
            raise InputError("command line", f'there is no target "{word}"', hint)
