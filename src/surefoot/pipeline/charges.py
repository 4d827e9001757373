"""What the work of a job costs by the shipped constants, cell by cell: names that say what is worked on, with seconds.

The same names stand beside the seconds that were measured when such work was done (see
`surefoot.pipeline.calibration`), so that estimates follow what the machine at hand really takes.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from surefoot.bayesian.costs import cost as play_cost
from surefoot.build.job import Job
from surefoot.simulation.costs import cost as trial_cost
from surefoot.statistics.coverage.costs import cost as intervals_cost

TRIALS = "surefoot.sources.trials.simulating:simulate"
PLAYS = "surefoot.sources.plays.playing:play"
COLLECTING = "surefoot.sources.trials.collecting:collect"
SUMMARIES = "surefoot.questions.coverage.summary:answer"
REPEATED = "surefoot.sources.protocols:simulate"
INTERVALS = "surefoot.questions.coverage.blocks:intervals"
ANSWERS = "surefoot.questions.answers:answer"
FAILURES = "surefoot.questions.failure_rates:answer"
DRAWINGS = "surefoot.charts.draw:draw"

SECONDS_OF_A_QUESTION = 0.2
"""However few its replicates."""
_SECONDS_OF_A_REPLICATE = 2e-4
_SECONDS_OF_A_STUDIED_REPLICATE = 2e-3
"""Of an interval whose failures are counted."""
_SECONDS_OF_AN_EPISODE = 2e-4
"""Of a random policy."""
_SECONDS_OF_A_DRAWING = 0.4
_SECONDS_OF_A_START = 1.5
"""Of a process, with what its work imports, and of reading and writing files."""
_SECONDS_OF_A_PAGE = 5.0
_SECONDS_OF_A_MEGABYTE = 1.0
"""Of tables that are read."""
_SECONDS_OF_COMPILING = {TRIALS: 20.0, PLAYS: 16.0, REPEATED: 50.0, INTERVALS: 8.0, ANSWERS: 2.5, FAILURES: 8.0}
"""Of the kernels of a job; of answers, of each question."""


class Charge(NamedTuple):
    """Some work of a job.

    name : what is worked on, from the general to the particular: what is known of similar work holds for this as well
    seconds : CPU seconds, by the shipped constants
    repeated : how many independent repetitions it has, such as trials, of which single ones vary
    parallel : threads that can work on it at the same time
    """

    name: tuple[str, ...]
    seconds: float
    repeated: float = 1.0
    parallel: float = 1.0


def charges(job: Job, megabytes: float = 0.0) -> list[Charge]:
    """All work of a job, but for what every job does (see `charge_of_rest`).

    Parameters
    ----------
    megabytes : size of its inputs, in MB
    """
    return list(_charges(job, megabytes))


def _charges(job: Job, megabytes: float) -> Iterator[Charge]:
    settings = job.settings
    if job.work == TRIALS:
        for cell in settings["cells"].values():
            whole = -(-cell["trials"] // cell["block"]) * cell["block"]
            yield _trials(cell["algorithm"], cell["environment"], whole, cell["block"])
    elif job.work == PLAYS:
        for entry in settings["cells"].values():
            yield _learning(entry["cell"])
            whole = -(-entry["mdps"] // entry["block"]) * entry["block"]
            yield _plays(entry["cell"], whole, settings.get("trajectories", 1))
    elif job.work == REPEATED:
        for cell in settings["cells"].values():
            yield _repeated(cell["settings"], settings["numbers"])
    elif job.work == INTERVALS:
        for method in settings["methods"]:
            yield _intervals(method, settings, settings["datasets"])
    elif job.work == ANSWERS:
        for asked in settings["questions"].values():
            yield _question(asked, settings, megabytes)
    elif job.work == FAILURES:
        yield _failures(settings, "", 1.0)
    elif job.work == DRAWINGS:
        for drawing in settings["drawings"].values():
            yield _drawing(drawing)


def charge_of_piece(kind: str, settings: Mapping[str, Any], megabytes: float = 0.0) -> Charge:
    """The work of a piece that the store keeps apart, of which `settings` are those that decide it."""
    if kind == "simulate.block":
        return _trials(settings["algorithm"], settings["environment"], settings["block"], settings["block"])
    if kind == "simulate.learn":
        return _learning(settings["cell"])
    if kind == "simulate.plays":
        return _plays(settings["cell"], settings["block"], settings.get("trajectories", 1))
    if kind in ("simulate.same_hyperparameters", "simulate.random_policies"):
        return _repeated(settings["cell"]["settings"], settings["numbers"])
    if kind == "cover.block":
        return _intervals(settings["method"], settings, settings["block"])
    if kind == "question":
        return _question(settings["question"], settings["shared"], megabytes)
    if kind == "trust.cell":
        return _failures(settings, settings["cell"]["name"], 0.1)
    if kind == "draw.drawing":
        return _drawing(settings["drawing"])
    return Charge(("piece", kind), 1.0)


def charge_of_rest(job: Job, megabytes: float) -> Charge:
    """The start of the job's process, what it reads and writes, and work that is in no other charge."""
    seconds = _SECONDS_OF_A_START + _SECONDS_OF_A_MEGABYTE * megabytes
    if "page" in job.outputs:
        seconds += _SECONDS_OF_A_PAGE
    return Charge(("job", job.stage, job.work.rpartition(".")[2], job.study, job.part), seconds)


def charge_of_compiling(job: Job) -> Charge | None:
    """The kernels that the job compiles where the store has none; jobs with the same name compile the same."""
    if job.work not in _SECONDS_OF_COMPILING:
        return None
    settings = job.settings
    if job.work == TRIALS:
        what = {cell["algorithm"] for cell in settings["cells"].values()}
    elif job.work == PLAYS:
        what = {entry["cell"]["agent"] for entry in settings["cells"].values()}
    elif job.work == INTERVALS:
        what = set(settings["methods"])
    elif job.work == ANSWERS:
        what = {" ".join(_question_name(asked)) for asked in settings["questions"].values()}
    else:
        what = {job.part}
    seconds = _SECONDS_OF_COMPILING[job.work] * (len(what) if job.work == ANSWERS else 1)
    return Charge(("compile", job.work.rpartition(".")[2], "+".join(sorted(what))), seconds)


def room_of_kernels(job: Job) -> str:
    """The room of the package that has most of the kernels of a job."""
    rooms = {TRIALS: "simulation", REPEATED: "simulation", PLAYS: "bayesian"}
    return rooms.get(job.work, "statistics")


def replicates(asked: Mapping[str, Any], shared: Mapping[str, Any]) -> int:
    """Replicates of all data sets of a question; those of the study where it states none of its own."""
    stated = [asked[name] for name in ("replicates", "datasets") if asked.get(name)]
    return math.prod(stated) if stated else shared.get("replicates", 1)


def _trials(algorithm: str, environment: str, trials: int, block: int) -> Charge:
    return Charge(("trial", algorithm, environment), trials * trial_cost(algorithm, environment), trials, block)


def _learning(cell: Mapping[str, Any]) -> Charge:
    return Charge(("learn", cell["agent"], cell["environment"]), play_cost(cell, 0))


def _plays(cell: Mapping[str, Any], mdps: int, trajectories: int) -> Charge:
    arguments = " ".join(f"{name}={value}" for name, value in sorted(cell["arguments"].items()) if name != "variant")
    seconds = trajectories * (play_cost(cell, mdps) - play_cost(cell, 0))
    return Charge(("play", cell["agent"], cell["environment"], arguments), seconds, mdps)


def _repeated(cell: Mapping[str, Any], numbers: Mapping[str, int]) -> Charge:
    several = math.prod(numbers.values())
    if "algorithm" not in cell:
        return Charge(("policies", cell["environment"]), several * _SECONDS_OF_AN_EPISODE, several)
    names = cell["algorithm"], cell["environment"]
    return Charge(("repeat", *names), several * trial_cost(*names), several)


def _intervals(method: str, settings: Mapping[str, Any], datasets: int) -> Charge:
    size, replicated = settings["size"], settings["replicates"]
    seconds = datasets * intervals_cost(len(settings["variants"]), size, replicated)
    return Charge(("intervals", method, f"{size} runs", f"{replicated} replicates"), seconds, datasets)


def _question(asked: Mapping[str, Any], shared: Mapping[str, Any], megabytes: float) -> Charge:
    seconds = _SECONDS_OF_A_REPLICATE * replicates(asked, shared) + _SECONDS_OF_A_MEGABYTE * megabytes
    seconds += SECONDS_OF_A_QUESTION
    return Charge(("question", *_question_name(asked)), seconds)


def _question_name(asked: Mapping[str, Any]) -> tuple[str, ...]:
    methods = "+".join(asked.get("methods") or ())
    return (asked["kind"], methods) if methods else (asked["kind"],)


def _failures(settings: Mapping[str, Any], cell: str, share: float) -> Charge:
    seconds = share * _SECONDS_OF_A_STUDIED_REPLICATE * replicates(settings, {})
    name = ("failures", settings["subject"].partition(":")[0].rpartition(".")[2], *([cell] if cell else []))
    return Charge(name, seconds, settings["datasets"])


def _drawing(drawing: Mapping[str, Any]) -> Charge:
    return Charge(("drawing", drawing["function"]), _SECONDS_OF_A_DRAWING)
