"""Which runs the figures and tables of a paper are made of."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from surefoot.build.job import Job
from surefoot.columns import RUN
from surefoot.configuration.models import Study
from surefoot.pipeline.plan import tables_along_training
from surefoot.result_tables import LEFT_OUT, read_table


class CountedRuns(NamedTuple):
    """What a table of runs holds.

    algorithms, environments : names, in the order of the table
    fewest, most : runs of an algorithm in an environment
    total : runs in all
    left_out : sentences about algorithms that have no runs in some environment
    """

    algorithms: list[str]
    environments: list[str]
    fewest: int
    most: int
    total: int
    left_out: tuple[str, ...] = ()


class RunsBehind(NamedTuple):
    """The runs that the exported figures and tables are made of.

    sources : by the name of their source
    titles : display names of algorithms and environments
    """

    sources: Mapping[str, CountedRuns]
    titles: Mapping[str, str] = {}

    @property
    def largest(self) -> CountedRuns | None:
        """The source with the most runs."""
        return max(self.sources.values(), key=lambda runs: runs.total, default=None)


def runs_behind(name: str, study: Study, jobs: Sequence[Job]) -> RunsBehind:
    """The runs that a study's drawings are made of.

    Parameters
    ----------
    name : of the study
    jobs : of the plan, whose results are read
    """
    along = tables_along_training(study)
    collected = [path for job in jobs if (job.stage, job.study) == ("collect", name) for path in job.outputs.values()]
    paths = {Path(path).stem: Path(path) for path in collected if Path(path).suffix in (".parquet", ".csv")}
    sources = {key: counted_runs(read_table(path)) for key, path in paths.items() if key not in along}
    # A study whose runs are another one's uses the display names of that one.
    others = {getattr(source, "study", None) or key for key, source in study.sources.items() if source.kind == "study"}
    titles: dict[str, str] = {}
    for job in jobs:
        if job.stage == "draw" and job.study in {name, *others}:
            titles |= job.settings.get("algorithm_titles", {}) | job.settings.get("environment_titles", {})
    return RunsBehind({key: runs for key, runs in sources.items() if runs}, titles | study.titles)


def counted_runs(table: pd.DataFrame) -> CountedRuns | None:
    """The runs of a table, each counted once; None of a table that has no runs.

    Where algorithms are played with several parameters, each of these counts as an algorithm, as in ``beb(beta=2.5)``.
    """
    if not {*RUN} <= set(table.columns) or table.empty:
        return None
    columns = [name for name in (*RUN, "parameters", "variant") if name in table.columns]
    runs = table[columns].drop_duplicates().fillna("")
    counts = runs.groupby([name for name in columns if name != "run"], observed=True, sort=False).size()
    algorithms = runs["algorithm"].astype(str)
    if "parameters" in columns:
        given = runs["parameters"].astype(str)
        algorithms = algorithms.where(given == "", algorithms + "(" + given + ")")
    environments = runs["environment"].astype(str)
    names = list(dict.fromkeys(algorithms)), list(dict.fromkeys(environments))
    fewest, most, total = (int(number) for number in (counts.min(), counts.max(), counts.sum()))
    return CountedRuns(*names, fewest, most, total, tuple(table.attrs.get(LEFT_OUT, ())))
