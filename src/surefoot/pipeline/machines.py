"""How long the jobs of a forecast take on a machine or a cluster, and what keeps them from taking less."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from surefoot.pipeline.forecast import Forecast
from surefoot.pipeline.needs import threads_of_cluster, threads_of_machine
from surefoot.pipeline.schedule import Planned, Schedule, chain, schedule

BUSY = 0.8
"""Share of the cores' time from which on it is the cores that a run waits for."""


class Machine(NamedTuple):
    """Where jobs run.

    cores : in all
    threads_of_a_job : at most; None where threads follow from the cores, as on one machine
    most_jobs : that run at the same time; None for as many as there are cores
    seconds_of_a_job : from when a job could begin to when it does, and from its end to when that is seen
    seconds_of_planning : before the first job begins
    """

    cores: int
    threads_of_a_job: int | None
    most_jobs: int | None
    seconds_of_a_job: float
    seconds_of_planning: float


def one_machine(cores: int) -> Machine:
    """This machine, or one like it with so many cores."""
    return Machine(cores, None, None, 0.6, 8.0)


def cluster(cores: int) -> Machine:
    """Nodes of such cores, as `profiles/slurm` uses them."""
    return Machine(cores, 8, 100, 17.0, 8.0)


def planned(made: Sequence[Forecast], machine: Machine, studies: Sequence[str]) -> list[Planned]:
    """The jobs that are not made yet, as they will be scheduled.

    Parameters
    ----------
    studies : in the order in which their simulations have priority
    """
    asked = [each for each in made if not each.made]
    makers = {path: position for position, each in enumerate(asked) for path in each.job.outputs.values()}
    batches: dict[str, int] = {}
    for each in made:
        batches[each.job.study] = batches.get(each.job.study, 0) + (each.job.stage == "simulate")
    found = []
    for each in asked:
        job = each.job
        if machine.threads_of_a_job is None:
            threads = threads_of_machine(job, machine.cores, max(1, batches[job.study]))
        else:
            threads = threads_of_cluster(job, min(machine.cores, machine.threads_of_a_job))
        after = tuple(makers[path] for path in job.inputs.values() if path in makers)
        simulates = job.stage == "simulate" and job.study in studies
        priority = -float(studies.index(job.study)) if simulates else 0.0
        found.append(Planned(each.seconds_on(threads) + machine.seconds_of_a_job, threads, after, priority))
    return found


class Run(NamedTuple):
    """A simulated run.

    seconds : until its end, the planning included
    busy : share of the cores' time in which a job has them
    reason : what keeps it from taking less, in words
    """

    seconds: float
    busy: float
    reason: str


def simulated_run(made: Sequence[Forecast], machine: Machine, studies: Sequence[str]) -> Run:
    """Run what is not made yet on a machine."""
    jobs = planned(made, machine, studies)
    if not jobs:
        return Run(0.0, 0.0, "nothing is to make")
    found = schedule(jobs, machine.cores, machine.most_jobs)
    used = sum(each.seconds for each in made if not each.made)
    names = [each.job for each in made if not each.made]
    busy = used / (machine.cores * found.seconds)
    texts = [f"{job.stage} {job.study}/{job.part}" for job in names]
    return Run(machine.seconds_of_planning + found.seconds, busy, _reason(jobs, found, machine, busy, texts))


def _reason(jobs: Sequence[Planned], found: Schedule, machine: Machine, busy: float, names: Sequence[str]) -> str:
    if busy >= BUSY:
        return "the cores are busy"
    free = schedule(jobs, sum(job.threads for job in jobs))
    if machine.most_jobs is not None and machine.most_jobs < len(jobs) and found.seconds > 1.2 * free.seconds:
        running = sum(job.seconds for job in jobs) / found.seconds
        if running > BUSY * machine.most_jobs:
            return f"at most {machine.most_jobs} jobs run at once"
    links = chain(free)
    longest = sorted(sorted(links, key=lambda link: jobs[link].seconds)[-_NAMED:])
    told = ", ".join(f"{names[link]} ({span(jobs[link].seconds)})" for link in longest)
    share = free.seconds / found.seconds
    if share > BUSY:
        return f"{len(links)} jobs that wait for each other: {told}"
    return f"few jobs are left beside the long ones; {len(links)} that wait for each other: {told}"


_NAMED = 3
"""How many jobs of a chain are named, the longest."""


def span(seconds: float) -> str:
    """A time as a person says it: "45 s", "12 min", "3.4 h" or "2.1 days"."""
    for size, name, digits, up_to in ((1, "s", 0, 99.5), (60, "min", 0, 99.5 * 60), (3600, "h", 1, 48 * 3600)):
        if seconds < up_to:
            return f"{seconds / size:.{digits}f} {name}"
    return f"{seconds / 86400:,.{1 if seconds < 99.5 * 86400 else 0}f} days"


def kernels_wanted(made: Sequence[Forecast]) -> Mapping[str, int]:
    """How many jobs of each study compile kernels first."""
    found: dict[str, int] = {}
    for each in made:
        if any(charge.name[0] == "compile" for charge in each.work):
            found[each.job.study] = found.get(each.job.study, 0) + 1
    return found
