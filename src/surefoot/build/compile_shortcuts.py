"""Shortcuts through numba's front end: the same machine code in less time.

Numba compares all options of a compilation, one by one, whenever it looks up what it knows of a call. And it copies
what it inlines block by block, each block with all variables of the function. Private parts of numba are replaced
here, so only in the version that this was written for; any other compiles as it always does.
"""

import copy
from typing import Any

import numba
from numba.core import inline_closurecall, targetconfig

WRITTEN_FOR = "0.68.1"


def take_shortcuts() -> None:
    """Let this process compile by the shortcuts, where numba is the version that they were written for."""
    if numba.__version__ != WRITTEN_FOR or isinstance(inline_closurecall.copy, _CopiesOfBlocks):
        return
    inline_closurecall.copy = _CopiesOfBlocks()
    compare = targetconfig.TargetConfig.__eq__

    def equal(self: Any, other: Any) -> bool:
        """Options are equal where those that were set are; else numba compares defaults as well."""
        same = type(self) is type(other) and self._values == other._values
        return same or compare(self, other)

    targetconfig.TargetConfig.__eq__ = equal


class _CopiesOfBlocks:
    """`copy` for the blocks of a function that is inlined: the scope that all of them share is copied once."""

    def __init__(self) -> None:
        self._scope: Any = None
        self._made: dict[int, Any] = {}

    def deepcopy(self, block: Any) -> Any:
        if block.scope is not self._scope or id(block) in self._made:
            self._scope, self._made = block.scope, {}
        return copy.deepcopy(block, self._made)
