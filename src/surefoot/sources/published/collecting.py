"""The published tables of a collect job: downloaded, or from a local folder, checked and converted."""

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.files import sha256_file
from surefoot.build.log import progress_reporter
from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table
from surefoot.sources.published.conversion import COLUMNS, convert
from surefoot.sources.published.download import Limits, download
from surefoot.sources.published.sources import ADDRESS, KEPT, Source

_CONNECTIONS = 4


def collect(task: Task) -> None:
    """Write each published table of the job."""
    for table, how in task.settings["published"].items():
        given = {name: task.inputs[key] for name, key in how["given"].items()}
        path = task.outputs[table]
        address = {"address": how["address"]} if "address" in how else {}
        sources, games = [Source(*source) for source in how["files"]], task.inputs.get(KEPT.get(table, ""))
        collected = collect_published(table, path.parent, given, sources, games, task.unit, **address)
        write_table(collected, path)


def collect_published(
    table: str,
    folder: Path,
    given: Mapping[str, Path],
    sources: Sequence[Source],
    games: Path | None,
    unit: Callable[..., Any],
    address: str = ADDRESS,
    limits: Limits = Limits(),  # noqa: B008 (a NamedTuple cannot change)
) -> pd.DataFrame:
    """A published table.

    Parameters
    ----------
    table : such as "atari100k/final_scores"
    folder : where downloaded files are put meanwhile
    given : as `table_in` finds them in a local folder: the table, or its raw files; empty to download these
    sources : the table's files
    games : the table of Atari games, which the conversions of some tables need
    unit : as `surefoot.build.runner.Task.unit`; each file is an entry of the store, so none is downloaded twice
    address, limits : as in `download`

    Raises
    ------
    InputError
        where a file cannot be had or is not what was published
    """
    if "table" in given:
        return _read_table(table, given["table"])
    if given:
        files = dict(given)
        for source in sources:
            if sha256_file(files[source.place]) != source.sha256:
                hint = f"get it again from {source.addresses()[0]}"
                raise InputError(str(files[source.place]), f"other bytes than were published for {table}", hint)
    else:
        files = _downloaded(table, sources, folder, unit, address, limits)
    return convert(table, files, None if games is None else read_table(games))


def _read_table(table: str, path: Path) -> pd.DataFrame:
    read = read_table(path)
    missing = [column for column in COLUMNS[table] if column not in read]
    if missing:
        raise InputError(str(path), f"no column {', '.join(missing)}", f"{table} has {', '.join(COLUMNS[table])}")
    names = {column: str for column in read.columns if isinstance(read[column].dtype, pd.CategoricalDtype)}
    return read[list(COLUMNS[table])].astype(names)


def _downloaded(
    table: str, sources: Sequence[Source], folder: Path, unit: Callable[..., Any], address: str, limits: Limits
) -> dict[str, Path]:
    """Paths by `<repository>/<path>`; after a failure no further file is begun."""
    report = progress_reporter(f"download {table}", sum(source.bytes for source in sources), "bytes")
    lock, came, stopped = threading.Lock(), [0], threading.Event()

    def progress(more: int) -> None:
        with lock:
            came[0] += more
            report(came[0])

    def bring(source: Source) -> Path | None:
        if stopped.is_set():
            return None
        path = folder / "files" / source.place

        def compute(target: Path) -> None:
            download(source, target, address, limits, progress)

        try:
            unit("collect.file", {"sha256": source.sha256}, {}, compute, path)
        except BaseException:
            stopped.set()
            raise
        return path

    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        futures = {source.place: pool.submit(bring, source) for source in sources}
        failures = []
        for future in futures.values():
            with contextlib.suppress(InputError):
                future.result()
            failure = future.exception()
            if failure is not None:
                failures.append(failure)
    if failures:
        raise failures[0]
    return {place: path for place, future in futures.items() if (path := future.result()) is not None}
