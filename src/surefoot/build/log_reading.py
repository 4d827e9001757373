"""What the log of a job tells, whether it ended or not; see `surefoot.build.log`, which writes it."""

import datetime
import re
from pathlib import Path
from typing import NamedTuple

from surefoot.build.log import STARTED

_STARTED = re.compile(r"^started +(.+ UTC) on ", re.MULTILINE)
_ENDED = re.compile(r"^ended +after ([\d.]+) s$", re.MULTILINE)
_FAILED = re.compile(r"^failed +after ([\d.]+) s$", re.MULTILINE)
_ERROR = re.compile(r"^error +(.+)$", re.MULTILINE)
_LEFT = re.compile(r", about ([\d,]+) s left$", re.MULTILINE)
_HIT = re.compile(r"^store +hit", re.MULTILINE)


class JobLog(NamedTuple):
    """What became of a job.

    started : seconds since the epoch
    seconds : that it took; None where it goes on, or was killed
    error : of a job that failed, what went wrong
    hit : whether its result came from the store
    left : seconds that it last said were left for the work it was at, as of `written`
    written : when the log was last written, in seconds since the epoch
    """

    started: float
    seconds: float | None
    error: str | None
    hit: bool
    left: float | None
    written: float


def read_job_log(path: Path, since: float = 0.0) -> JobLog | None:
    """What a job's log tells; None where there is none, or only that of a job that started before.

    since : seconds since the epoch
    """
    try:
        written = path.stat().st_mtime
        text = path.read_text(encoding="utf-8", errors="replace") if written >= since else ""
    except OSError:
        return None
    begun = _STARTED.search(text)
    if begun is None:
        return None
    started = datetime.datetime.strptime(begun[1], STARTED).replace(tzinfo=datetime.UTC).timestamp()
    if started < int(since):
        return None
    ended, failed, error = _ENDED.search(text), _FAILED.search(text), _ERROR.search(text)
    took = ended or failed
    left = _LEFT.findall(text)
    return JobLog(
        started,
        float(took[1]) if took else None,
        (error[1] if error else text.rstrip().rpartition("\n")[2]) if failed else None,
        _HIT.search(text) is not None,
        float(left[-1].replace(",", "")) if left else None,
        written,
    )
