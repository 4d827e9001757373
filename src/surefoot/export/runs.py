"""Which runs the figures and tables of a paper are made of: those of the study, or those of a recorded larger run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from surefoot.build.job import Job
from surefoot.build.project import RECORDS
from surefoot.configuration.models import Study
from surefoot.pipeline.plan import tables_along_training
from surefoot.result_tables import LEFT_OUT, read_table
from surefoot.statistics.reproduction.items import of_quantity, read_item

_NEEDED = ("algorithm", "environment", "run")
_COMPUTED_HERE = {"this run", "this study"}
"""What a table's column `source` says of numbers that are not recorded."""


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

    sources : the study's own, by the name of their source
    scales : the study's own that have scores on a scale, by the name of the scale
    recorded : those of a larger run whose recorded numbers are exported; None where no record is shown
    from_record, beside_record : drawings with recorded numbers alone, and beside those of the study
    titles : display names of algorithms and environments
    """

    sources: Mapping[str, CountedRuns]
    scales: Mapping[str, CountedRuns] = {}
    recorded: CountedRuns | None = None
    from_record: frozenset[str] = frozenset()
    beside_record: frozenset[str] = frozenset()
    titles: Mapping[str, str] = {}

    @property
    def largest(self) -> CountedRuns | None:
        """The study's source with the most runs."""
        return max(self.sources.values(), key=lambda runs: runs.total, default=None)

    def names(self) -> set[str]:
        """The names of all algorithms and environments."""
        counted = [*self.sources.values(), *([self.recorded] if self.recorded else [])]
        return {name for runs in counted for name in (*runs.algorithms, *runs.environments)}


def runs_behind(
    name: str, study: Study, jobs: Sequence[Job], drawn: Mapping[str, tuple[Job, pd.DataFrame]]
) -> RunsBehind:
    """The runs that a study's drawings are made of.

    Parameters
    ----------
    name : of the study
    jobs : of the plan, whose results are read
    drawn : the job and the numbers of each drawing, by its name
    """
    study_jobs = [job for job in jobs if job.study == name]
    collected = {path.stem: counted_runs(read_table(path)) for path in _tables_of("collect", study_jobs)}
    along = tables_along_training(study)
    sources = {key: runs for key, runs in collected.items() if runs is not None and key not in along}
    scales: dict[str, CountedRuns] = {}
    for path in _tables_of("normalize", study_jobs):
        scales |= runs_of_scales(read_table(path))
    # A study whose runs are another one's uses the display names of that one.
    others = {getattr(source, "study", None) or key for key, source in study.sources.items() if source.kind == "study"}
    titles: dict[str, str] = {}
    for job in jobs:
        if job.stage == "draw" and job.study in {name, *others}:
            titles |= job.settings.get("algorithm_titles", {}) | job.settings.get("environment_titles", {})
    runs = RunsBehind(sources, scales, titles=titles | study.titles)
    return with_records(runs, study_jobs, drawn)


def counted_runs(table: pd.DataFrame) -> CountedRuns | None:
    """The runs of a table, each counted once; None of a table that has no runs.

    Where algorithms are played with several parameters, each of these counts as an algorithm, as in ``beb(beta=2.5)``.
    """
    if not {*_NEEDED} <= set(table.columns) or table.empty:
        return None
    columns = [name for name in (*_NEEDED, "parameters", "variant") if name in table.columns]
    runs = table[columns].drop_duplicates().fillna("")
    counts = runs.groupby([name for name in columns if name != "run"], observed=True, sort=False).size()
    parameters = runs["parameters"] if "parameters" in columns else [""] * len(runs)
    cells = [
        (f"{algorithm}({values})" if values else str(algorithm), str(environment))
        for algorithm, values, environment in zip(runs["algorithm"], parameters, runs["environment"], strict=True)
    ]
    return _counted(cells, counts)._replace(left_out=tuple(table.attrs.get(LEFT_OUT, ())))


def runs_of_scales(table: pd.DataFrame) -> dict[str, CountedRuns]:
    """The runs that have scores on each scale, in a table with a column of the scales' names."""
    if "scores" not in table.columns:
        return {}
    counted = {str(name): counted_runs(rows) for name, rows in table.groupby("scores", sort=False)}
    return {name: runs for name, runs in counted.items() if runs is not None}


def recorded_runs(record: pd.DataFrame) -> CountedRuns | None:
    """The runs behind the means of a record of published numbers beside ours; None where it keeps no means.

    Parameters
    ----------
    record : columns item and trials; an algorithm may have parameters, as in ``beb(beta=2.5)``
    """
    if not {"item", "trials"} <= set(record.columns):
        return None
    means = of_quantity(record, "mean").dropna(subset="trials").drop_duplicates("item")
    cells = []
    for item in means["item"]:
        *environment, algorithm = read_item(item).of
        cells.append((algorithm, "/".join(environment)))
    return _counted(cells, means["trials"].astype(int)) if cells else None


def _counted(cells: Iterable[tuple[str, str]], runs: pd.Series) -> CountedRuns:
    algorithms, environments = (list(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    return CountedRuns(algorithms, environments, int(runs.min()), int(runs.max()), int(runs.sum()))


def _tables_of(stage: str, jobs: Sequence[Job]) -> Iterator[Path]:
    paths = (Path(path) for job in jobs if job.stage == stage for path in job.outputs.values())
    yield from (path for path in paths if path.suffix in (".parquet", ".csv"))


def with_records(runs: RunsBehind, jobs: Sequence[Job], drawn: Mapping[str, tuple[Job, pd.DataFrame]]) -> RunsBehind:
    """The runs of a study and what its drawings take from the record of a larger run, if that has more runs."""
    inputs = {drawing: _recorded_inputs(drawing, job) for drawing, (job, _) in drawn.items()}
    compared = [job.inputs["record"] for job in jobs if job.stage == "compare" and "record" in job.inputs]
    paths = [*(keys["record"] for keys in inputs.values() if "record" in keys), *compared]
    recorded = recorded_runs(read_table(Path(paths[0]))) if paths else None
    if recorded is not None and recorded.total <= getattr(runs.largest, "total", 0):
        return runs
    alone: set[str] = set()
    beside: set[str] = set()
    for drawing, (_, table) in drawn.items():
        sources = {*table["source"].dropna()} if "source" in table.columns else None
        if not inputs[drawing] or (sources is not None and sources <= _COMPUTED_HERE):
            continue
        has_both = bool(sources and sources & _COMPUTED_HERE) or any(str(c).startswith("record") for c in table.columns)
        (beside if has_both else alone).add(drawing)
    is_shown = alone or beside
    return runs._replace(
        recorded=recorded if is_shown else None, from_record=frozenset(alone), beside_record=frozenset(beside)
    )


def _recorded_inputs(drawing: str, job: Job) -> dict[str, str]:
    """The inputs of a drawing that are records of larger runs, by their keys."""
    folder = RECORDS.resolve()
    recorded = {}
    for key in job.settings["drawings"][drawing]["inputs"]:
        path = job.inputs.get(key)
        # The index `record.csv` only says when each analysis was recorded, also of those that were not.
        is_index = key == "record" and Path(path or "").name == "record.csv"
        if path and not is_index and (key == "compare/record" or folder in Path(path).resolve().parents):
            recorded[key] = path
    return recorded
