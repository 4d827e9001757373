"""Named targets of the workflow, and the files that they stand for."""

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from surefoot.reporting.descriptions import NAME as METHODS
from surefoot.workflow.configuration.validation import FIGURES_AND_TABLES
from surefoot.workflow.job import Job
from surefoot.workflow.planning.drawing_jobs import LEADERBOARDS, TRUST
from surefoot.workflow.planning.page_jobs import APPENDIX, DOCUMENTATION, RUN_NUMBERS, SEARCH, planned_studies

_NUMBERED = re.compile(r"(figure|table)_[a-z]?[0-9]+")


def named_targets(jobs: Sequence[Job], studies: Collection[str], own: Collection[str] = ()) -> dict[str, list[str]]:
    """Return the files of each named target.

    The default target `all` is everything, or only the user's studies if there are any. There is a target for each
    study, with its page, its appendix, its page on the number of runs, the methods page, the documentation, and the
    search index if there is only one study. Further targets are `how_many_runs`, `trust`, `leaderboards` and `docs`,
    and figures and tables, such as `figure_5`, of all studies that have one. Parts of a figure, such as `figure_2_left`
    and `figure_11a`, also belong to `figure_2` and `figure_11`.

    Parameters
    ----------
    jobs : sequence of Job
    studies : collection of str
        Names of the studies.
    own : collection of str, default ()
        Names of the studies that a user added to the shipped studies.
    """
    targets: dict[str, list[str]] = {}
    planned = [f"{study}_{RUN_NUMBERS}" for study in planned_studies(jobs)]
    linked = (METHODS, DOCUMENTATION, *([SEARCH] if len(studies) == 1 else []))
    parts: dict[str, tuple[str, ...]] = {name: (name,) for name in (*planned, TRUST, LEADERBOARDS, DOCUMENTATION)}
    parts |= {study: (study, f"{study}_{APPENDIX}", f"{study}_{RUN_NUMBERS}", *linked) for study in studies}
    targets |= {name: _files(job for job in jobs if job.study in those) for name, those in parts.items()}
    targets[RUN_NUMBERS] = [path for name in planned for path in targets[name]]
    everything = _files(job for job in jobs if not job.on_request)
    targets["all"] = [path for name in own for path in targets[name]] or everything
    return targets | _drawings(jobs)


def _files(jobs: Iterable[Job]) -> list[str]:
    return [path for job in jobs for path in job.outputs.values()]


def _drawings(jobs: Iterable[Job]) -> dict[str, list[str]]:
    """Return the files of each figure and table by name; parts of a figure are also listed under its name."""
    targets: dict[str, list[str]] = {}
    for job in jobs:
        for path in job.outputs.values() if job.stage == "draw" else ():
            name = Path(path).stem
            whole = _NUMBERED.match(name)
            for target in {name, whole[0] if whole else name}:
                if target.startswith(FIGURES_AND_TABLES):
                    targets.setdefault(target, []).append(path)
    return targets
