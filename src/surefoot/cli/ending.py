"""What a run did, said at its end: for whoever comes back to it after days."""

import contextlib
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.build.errors import SENTENCE
from surefoot.build.job import Job
from surefoot.reporting.site import LIST, note_made_pages

MADE_PAGES = Path("results/render") / LIST

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
        note_made_pages(MADE_PAGES.parent)
    ran = [(job, error) for job in jobs if (error := error_in_log(Path(job.log), since)) is not None]
    if not ran:
        return
    done = [job for job, error in ran if not error]
    failed = [(job, error) for job, error in ran if error and not error.startswith(SENTENCE[0])]
    files = sum(len(job.outputs) for job in done)
    yield f"jobs done: {len(done):,} in {_duration(time.time() - since)}; results: {files:,}"
    for job, error in failed[:_MOST_FAILURES]:
        yield f"failed: {job.stage} {job.study}/{job.part}: {error}"
        yield f"    {job.log}"
    if len(failed) > _MOST_FAILURES:
        yield f"and {len(failed) - _MOST_FAILURES} more failed"
    if not succeeded:
        yield "Run the same command again to go on: what is done is not done again."


_PAGE: list[Path] = []
"""The page of what this process was asked for, until its path is printed."""


def keep_page(jobs: Sequence[Job], options: Sequence[str]) -> None:
    """Keep the page of what was asked for, for `tell_page`: the home page, else that of the first study.

    Parameters
    ----------
    jobs : that the run's targets ask for, in the order of the plan
    options : of the command line, as `read_command_line` finds them
    """
    pages = {job.study: Path(job.outputs["page"]) for job in jobs if "page" in job.outputs}
    if pages:
        given = list(options)
        start = Path(given[given.index("--directory") + 1] if "--directory" in given else "")
        _PAGE[:] = [start / (pages.get("index") or next(iter(pages.values())))]


def tell_page() -> None:
    """Print the path of that page as seen from where the command was typed, where there is one, and only once."""
    if _PAGE:
        print(_PAGE.pop(), flush=True)


def error_in_log(log: Path, since: float) -> str | None:
    """What went wrong with a job, by its log (see `surefoot.build.log`): "" where it ended well; None where the log was
    not written since a time.

    since : seconds since the epoch
    """
    try:
        text = log.read_text(encoding="utf-8", errors="replace") if log.stat().st_mtime >= since else ""
    except OSError:
        return None
    if not text:
        return None
    if re.search("^ended +after ", text, re.MULTILINE):
        return ""
    if not re.search("^failed +after ", text, re.MULTILINE):
        return "ended without a word: killed, perhaps for the memory or the time that it took"
    stated = re.search("^error +(.+)$", text, re.MULTILINE)
    return stated[1] if stated else text.rstrip().rpartition("\n")[2]


def _duration(seconds: float) -> str:
    """Such as "45 s", "12 min" or "3.4 h"."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"
