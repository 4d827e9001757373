"""A simulated run of jobs on a number of cores: each begins when its inputs are made and cores are free for it."""

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Planned(NamedTuple):
    """A job to schedule.

    seconds : by the clock on its threads, what it takes to start it included
    threads : that it has, at most those of the machine
    after : positions of the jobs that come before it
    priority : jobs of a higher one begin first; then those of a lower position
    """

    seconds: float
    threads: int
    after: tuple[int, ...]
    priority: float = 0.0


class Schedule(NamedTuple):
    """When jobs begin and end, in seconds.

    starts, ends : of each job
    held_by : of each job the one whose end let it begin: its last input, or one that left it its cores; None for those
        that begin at once
    for_cores : of each job, whether it had its inputs and waited for cores, or for its turn
    """

    starts: list[float]
    ends: list[float]
    held_by: list[int | None]
    for_cores: list[bool]

    @property
    def seconds(self) -> float:
        """Until the last job has ended."""
        return max(self.ends, default=0.0)


def schedule(jobs: Sequence[Planned], cores: int, most_jobs: int | None = None) -> Schedule:
    """Run jobs in the order of their priority and position.

    Parameters
    ----------
    jobs : each after those it waits for
    cores : at least the threads of each job
    most_jobs : that run at the same time

    Raises
    ------
    ValueError
        for a job with more threads than there are cores, and for jobs that wait for each other
    """
    for position, job in enumerate(jobs):
        if job.threads > cores:
            raise ValueError(f"job {position} has {job.threads} threads, and there are {cores} cores")
    waits = [len(set(job.after)) for job in jobs]
    before: Mapping[int, list[int]] = _followers(jobs)
    ready = [(-job.priority, position) for position, job in enumerate(jobs) if not waits[position]]
    heapq.heapify(ready)
    starts, ends = [0.0] * len(jobs), [0.0] * len(jobs)
    held_by: list[int | None] = [None] * len(jobs)
    for_cores = [False] * len(jobs)
    running: list[tuple[float, int]] = []
    free, now, ended = cores, 0.0, 0
    last: int | None = None
    ready_since = dict.fromkeys((position for _, position in ready), 0.0)
    while ready or running:
        left = []
        while ready and free and (most_jobs is None or len(running) < most_jobs):
            entry = heapq.heappop(ready)
            position = entry[1]
            job = jobs[position]
            if job.threads > free:
                left.append(entry)
                continue
            free -= job.threads
            starts[position], ends[position] = now, now + job.seconds
            for_cores[position] = now > ready_since[position]
            if for_cores[position]:
                held_by[position] = last
            heapq.heappush(running, (ends[position], position))
        for entry in left:
            heapq.heappush(ready, entry)
        if not running:
            break
        now, last = heapq.heappop(running)
        ended += 1
        free += jobs[last].threads
        for follower in before.get(last, ()):
            waits[follower] -= 1
            if not waits[follower]:
                held_by[follower], ready_since[follower] = last, now
                heapq.heappush(ready, (-jobs[follower].priority, follower))
    if ended < len(jobs):
        raise ValueError("jobs wait for each other")
    return Schedule(starts, ends, held_by, for_cores)


def chain(found: Schedule) -> list[int]:
    """The jobs one of which always held up the next, the last to end at the end."""
    if not found.ends:
        return []
    position: int | None = max(range(len(found.ends)), key=found.ends.__getitem__)
    links: list[int] = []
    while position is not None:
        links.append(position)
        position = found.held_by[position]
    return links[::-1]


def _followers(jobs: Sequence[Planned]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for position, job in enumerate(jobs):
        for before in set(job.after):
            found.setdefault(before, []).append(position)
    return found
