"""What a run did, said at its end: for whoever comes back to it after days."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.build.commit import commit_of_checkout
from surefoot.build.interrupts import SENTENCE
from surefoot.build.job import Job
from surefoot.build.log_reading import JobLog
from surefoot.build.manifest import read_manifest
from surefoot.cli.following import logs_of
from surefoot.pipeline.machines import span
from surefoot.reporting.made_pages import LIST, note_made_pages

MADE_PAGES = Path("results/render") / LIST

_LONGEST = 3
"""How many of the longest jobs are named."""
_MOST_FAILURES = 20


def told_at_the_end(jobs: Sequence[Job], since: float, succeeded: bool) -> Iterator[str]:
    """Lines on what became of the jobs that started since a time; none where no job did. The pages that there are now
    are noted beside them.

    Parameters
    ----------
    jobs : that the run's targets ask for
    since : seconds since the epoch
    succeeded : whether the run made all that it was asked for
    """
    with contextlib.suppress(OSError):  # a full disk has been told of already
        note_made_pages(MADE_PAGES.parent, _making(jobs) if succeeded else {})
    logs = logs_of(jobs, since)
    if not logs:
        return
    ran = [(job, logs[job.manifest]) for job in jobs if job.manifest in logs]
    done = [(job, log) for job, log in ran if log.seconds is not None and log.error is None]
    ended = [(job, log) for job, log in ran if log.error is not None or log.seconds is None]
    failed = [(job, log) for job, log in ended if not _is_interrupted(log)]
    files = sum(len(job.outputs) for job, _ in done)
    hits = sum(log.hit for _, log in done)
    whence = f", {hits} of them from the store" if hits else ""
    yield f"{_jobs(len(done))} done in {span(time.time() - since)}{whence}: {files:,} results."
    for study in dict.fromkeys(job.study for job, _ in done):
        own = [(job, log) for job, log in done if job.study == study]
        total = sum(log.seconds or 0.0 for _, log in own)
        yield f"  {study}: {_jobs(len(own))}, {span(total)} in all; the longest {_longest(own)}"
    if failed:
        yield f"{_jobs(len(failed))} failed:"
        for job, log in failed[:_MOST_FAILURES]:
            yield f"  {job.stage} {job.study}/{job.part}: {_why(log)}"
            yield f"    {job.log}"
        if len(failed) > _MOST_FAILURES:
            yield f"  and {len(failed) - _MOST_FAILURES} more"
    if interrupted := len(ended) - len(failed):
        yield f"{_jobs(interrupted)} interrupted."
    if not succeeded:
        yield "Run the same command again to go on: what is done is not done again."


def _making(jobs: Sequence[Job]) -> dict[str, dict[str, str]]:
    """Of each page that the jobs make: when it was made, and the commit that this run has it from."""
    commit = commit_of_checkout()
    found: dict[str, dict[str, str]] = {}
    for job in jobs:
        pages = [Path(path).name for path in job.outputs.values() if Path(path).suffix == ".html"]
        if job.stage == "render" and pages and (manifest := read_manifest(job)) is not None:
            told = {"made": str(manifest["facts"].get("made", "")), "commit": commit}
            found |= {page: {key: text for key, text in told.items() if text} for page in pages}
    return found


_PAGE: list[Path] = []
"""The page of what this process was asked for, until its path is printed."""


def keep_page(jobs: Sequence[Job], options: Sequence[str], folder: Path) -> None:
    """Keep the page of what was asked for, for `tell_page`: the home page, else that of the first study.

    Parameters
    ----------
    jobs : that the run's targets ask for, in the order of the plan
    options : of the command line, as `read_command_line` finds them
    folder : that has the results, as seen from where Snakemake runs
    """
    pages = {job.study: Path(job.outputs["page"]) for job in jobs if "page" in job.outputs}
    if pages:
        given = list(options)
        start = Path(given[given.index("--directory") + 1] if "--directory" in given else "")
        _PAGE[:] = [start / folder / (pages.get("index") or next(iter(pages.values())))]


def tell_page() -> None:
    """Print the path of that page as seen from where the command was typed, where there is one, and only once."""
    if _PAGE:
        print(_PAGE.pop(), flush=True)


def _longest(own: Sequence[tuple[Job, JobLog]]) -> str:
    longest = sorted(own, key=lambda ran: -(ran[1].seconds or 0.0))[:_LONGEST]
    return ", ".join(f"{job.stage} {job.part} ({span(log.seconds or 0.0)})" for job, log in longest)


def _is_interrupted(log: JobLog) -> bool:
    return log.error is not None and log.error.startswith(f"{SENTENCE[0]}:")


def _why(log: JobLog) -> str:
    if log.error is not None:
        return log.error
    return "ended without a word: killed, perhaps for the memory or the time that it took"


def _jobs(number: int) -> str:
    return f"{number:,} job{'' if number == 1 else 's'}"
