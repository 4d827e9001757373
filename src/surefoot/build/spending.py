"""What a job spends while it runs: CPU seconds of each piece of its work, and those of compiling apart.

CPU seconds and not those of the clock, which would depend on what else the machine does.
"""

import os
import threading
import time
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """A piece of a job that was computed: its kind and settings, as the store knows it, and the CPU seconds it took,
    without those of compiling and loading kernels."""

    kind: str
    settings: dict[str, Any]
    seconds: float


class Spent(NamedTuple):
    """What a whole job took.

    key : in the store
    pieces : that it computed
    compiling : CPU seconds of compiling kernels
    other : CPU seconds of all else, the start of the process included
    megabytes : the most memory it held
    written : bytes of its outputs
    """

    key: str
    pieces: list[Piece]
    compiling: float
    other: float
    megabytes: int
    written: int


class Meter:
    """Counts the CPU seconds of this process, of the processes that it started and that have ended, and of kernels.

    To be made once numba may be imported; only what is compiled or loaded from then on is counted.
    """

    def __init__(self) -> None:
        from numba.core import event

        # Numba holds its lock while it loads kernels as well.
        self._times = {kind: _times_of(kind) for kind in ("numba:compile", "numba:compiler_lock")}
        for kind, times in self._times.items():
            event.register(kind, times)

    def close(self) -> None:
        """Stop counting what is compiled and loaded."""
        from numba.core import event

        for kind, times in self._times.items():
            event.unregister(kind, times)

    def compiling(self) -> float:
        """CPU seconds of compiling so far."""
        return float(self._times["numba:compile"].seconds)

    def loading(self) -> float:
        """CPU seconds of finding and loading compiled kernels so far."""
        return float(self._times["numba:compiler_lock"].seconds) - self.compiling()

    def working(self) -> float:
        """CPU seconds of all else since the process began."""
        times = os.times()
        whole = times.user + times.system + times.children_user + times.children_system
        return whole - self.compiling() - self.loading()


def _times_of(kind: str) -> Any:
    """A listener to numba's events of a kind whose `seconds` are the CPU seconds between their starts and ends."""
    from numba.core import event

    begun = threading.local()

    class Times(event.Listener):
        seconds = 0.0

        def on_start(self, event: Any) -> None:
            depth = getattr(begun, "depth", 0)
            begun.depth = depth + 1
            if not depth:  # a kernel that is compiled for another is a part of it
                begun.at = time.thread_time()

        def on_end(self, event: Any) -> None:
            begun.depth -= 1
            if not begun.depth:
                self.seconds += time.thread_time() - begun.at

    return Times()
