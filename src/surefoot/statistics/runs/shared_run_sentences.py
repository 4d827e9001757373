"""Sentences and remarks about runs that tasks share, and about the tasks of a sequential comparison."""

from collections.abc import Iterable

import numpy as np

from surefoot.statistics.runs.shared_run_findings import PARTLY, SHARED, UNMATCHED, Sharing, least_known
from surefoot.statistics.runs.shared_run_test import CANNOT_TELL, FOUND

SEEM = "runs seem to vary together on all tasks"
SEEM_PARTLY = "runs of some of the algorithms seem to vary together on all tasks"
MAY = "runs may vary together on all tasks"


def round_finding(
    tasks_independent: bool | str, apart: int, rounds: int, inflation: tuple[float, float, float], tasks: int
) -> str:
    """Describe how a sequential comparison treated the tasks of its rounds, and warn if the outcomes contradict this.

    A round is one run of each algorithm on every task.

    Parameters
    ----------
    tasks_independent : bool or "auto"
        Setting of the user.
    apart, rounds : int
        Number of rounds in which tasks counted as separate outcomes, and total number of rounds.
    inflation : tuple of float
        Inflation of the outcomes of all rounds, lower limit and upper limit; see `running_inflation`.
    tasks : int
        Number of tasks.
    """
    if tasks < 2:
        return "There is only one task, so tasks cannot share an effect."
    text = f"The tasks counted as separate outcomes in {apart} of {rounds} rounds, and as one outcome in the others."
    if inflation[1] > 1.0 and apart and tasks_independent is True:
        text += " The rounds vary more than they would if tasks were independent, so the limits are too narrow; "
        text += "use tasks_independent: auto or false instead."
    return text


def sharing_remark(sharing: Sharing, runs: int) -> str:
    """Return the remark about shared runs for an interval, or an empty string if none is needed.

    Parameters
    ----------
    sharing : Sharing
    runs : int
        Smallest number of runs of a task.
    """
    if sharing.finding == FOUND:
        return f"{SEEM}{_p_text(sharing.p_value)}, so the interval is of whole runs"
    if sharing.finding == PARTLY:
        return f"{SEEM_PARTLY}{_p_text(sharing.p_value)}, so whole runs count for these only"
    if sharing.finding == CANNOT_TELL:
        return (
            f"{MAY}{_p_text(sharing.p_value)}, which {runs} runs do not rule out: then this interval misses in 14 "
            "to 24 % of simulated studies, and that of whole runs in 8 to 12 %"
        )
    return ""


def is_of_sharing(remark: str) -> bool:
    """Return True for remarks by `sharing_remark`, which pages display only once for all algorithms."""
    return remark.startswith((SEEM, SEEM_PARTLY, MAY))


def _p_text(p_value: float) -> str:
    return f" (p = {p_value:.2g})" if np.isfinite(p_value) else ""


def sharing_sentence(
    findings: Iterable[str],
    runs: int,
    method: str = "student",
    what: str = "intervals",
    p_values: Iterable[float] = (),
) -> str:
    """Return a sentence about shared runs for the intervals of several algorithms, or "" if none is needed.

    Parameters
    ----------
    findings : iterable of str
        As returned by `shared_runs`.
    runs : int
        Smallest number of runs of a task.
    method : str, default "student"
        Interval method.
    what : str, default "intervals"
        Noun for the intervals in the sentence.
    p_values : iterable of float
        P-values of the findings; the smallest is quoted.
    """
    overall = least_known(list(findings))
    p_text = _p_text(min((p for p in p_values if np.isfinite(p)), default=np.nan))
    if overall == PARTLY:
        some = f"R{SEEM_PARTLY[1:]}{p_text}"
        if method != "student":
            return f"{some}, which these {what} do not allow for."
        return f"{some}, so whole runs count for these only."
    if overall in SHARED:
        why = f"R{SEEM[1:]}{p_text}" if overall == FOUND else "Tasks share runs"
        if method != "student":
            return f"{why}, which these {what} do not allow for."
        return f"{why}, so the {what} take whole runs."
    if overall == UNMATCHED:
        return f"The {what} take tasks as independent: runs have other names in each task, so nothing shows otherwise."
    if overall == CANNOT_TELL:
        return f"R{MAY[1:]}{p_text}, which {runs} runs do not rule out; these {what} take tasks as independent."
    return ""
