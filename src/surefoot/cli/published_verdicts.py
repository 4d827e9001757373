"""What results and records say of published numbers: how many rows have each verdict, and every row that differs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from surefoot.build.job import Job
from surefoot.result_tables import read_table

_NEEDED = {"item", "published", "ours", "verdict"}


def verdict_tables(jobs: Sequence[Job]) -> Iterator[tuple[str, Path]]:
    """(whose, path) of each table with verdicts: what this run made of a study, and the record of its large run."""
    for job in jobs:
        if job.stage == "compare":
            whose = job.study if job.part == "run" else f"{job.study} (record of a large run)"
            yield whose, Path(job.outputs["comparison"])


def counts_by_study(jobs: Sequence[Job]) -> Iterator[str]:
    """A line for each table of verdicts: how many of its rows have each verdict."""
    from surefoot.statistics.reproduction.verdicts import verdict_counts

    for whose, path in verdict_tables(jobs):
        table = _read(path)
        if table is not None:
            counts = [f"{verdict} {count}" for verdict, count in verdict_counts(table["verdict"]).items()]
            yield f"{whose}: {len(table)} published numbers compared: {', '.join(counts)}"


def differing_rows(jobs: Sequence[Job]) -> Iterator[str]:
    """A sentence for each row whose verdict is "differs": whose, item, the published number, ours, and the file.

    A file that is not a table of verdicts gets a sentence too: what cannot be read has not been found to agree.
    """
    for whose, path in verdict_tables(jobs):
        table = _read(path)
        if table is None:
            yield f"{path}: not a table of verdicts, so nothing is known of the published numbers of {whose}"
            continue
        for row in table[table["verdict"] == "differs"].itertuples():
            yield f"{whose}: {row.item}: published {row.published:g}, ours {row.ours:g}: differs ({path})"


def _read(path: Path) -> pd.DataFrame | None:
    """The table with the columns that a verdict needs; None where the file is missing or something else."""
    try:
        table = read_table(path)
        return table.astype({"published": float, "ours": float}) if set(table) >= _NEEDED else None
    except (OSError, ValueError):
        return None
