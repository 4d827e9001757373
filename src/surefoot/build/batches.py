"""How work for a cluster is put together into jobs, where starting one costs more than much of the work."""

from collections.abc import Iterable, Iterator

SECONDS_OF_A_BATCH = 600.0
"""CPU seconds of a job at least: starting one took up to 20 seconds on a machine with other work, and should take at
most a twentieth of a job."""


def batch_numbers(seconds: Iterable[float]) -> Iterator[int]:
    """For each piece of work in turn the number of its batch, from 0; all but the last last long enough.

    seconds : CPU seconds that each piece takes
    """
    number, together = 0, 0.0
    for piece in seconds:
        yield number
        together += piece
        if together >= SECONDS_OF_A_BATCH:
            number, together = number + 1, 0.0
