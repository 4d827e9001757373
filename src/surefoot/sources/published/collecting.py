"""The published tables of a collect job: downloaded, or from a local folder, checked and converted."""

import hashlib
import http.client
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.files import sha256_file, whole_file
from surefoot.build.log import progress_reporter
from surefoot.build.runner import Task
from surefoot.columns import refuse_missing_columns
from surefoot.result_tables import read_table, write_table
from surefoot.sources.published.conversion import COLUMNS, convert
from surefoot.sources.published.source import ADDRESS, KEPT, Source

_CONNECTIONS = 4
_CHUNK = 1 << 16
_ALTERNATIVE = (
    "name a local folder of the files or tables with collect.folder, or leave collect.download out: figures are then "
    "drawn from the record"
)


class Limits(NamedTuple):
    """How patient a download is.

    rounds : how often all addresses are tried
    pause : seconds before the second round; doubled before each further one
    silence : seconds without a byte, or to connect, after which a try is given up
    slowest : bytes a second below which a try counts as stalled after this many seconds
    """

    rounds: int = 3
    pause: float = 0.5
    silence: float = 10.0
    slowest: float = 1000.0


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
    refuse_missing_columns(str(path), read, COLUMNS[table])
    names = {column: str for column in read.columns if isinstance(read[column].dtype, pd.CategoricalDtype)}
    return read[list(COLUMNS[table])].astype(names)


def _downloaded(
    table: str, sources: Sequence[Source], folder: Path, unit: Callable[..., Any], address: str, limits: Limits
) -> dict[str, Path]:
    """Paths by `<repository>/<path>`; after a failure no further file is begun."""
    report = progress_reporter(f"download {table}", len(sources), "files")

    def bring(source: Source, path: Path) -> None:
        kind, settings = "collect.file", {"sha256": source.sha256}
        unit(kind, settings, {}, lambda target: download(source, target, address, limits), path)

    paths = {source.place: folder / "files" / source.place for source in sources}
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        futures = [pool.submit(bring, source, paths[source.place]) for source in sources]
        try:
            for number, future in enumerate(as_completed(futures), 1):
                future.result()
                report(number)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return paths


def download(
    source: Source,
    target: Path,
    address: str = ADDRESS,
    limits: Limits = Limits(),  # noqa: B008 (a NamedTuple cannot change)
) -> None:
    """Put a public file in place, from the first address that gives the right bytes.

    Parameters
    ----------
    target : where the file goes. Nothing appears there before the whole file has come and its bytes are right.
    address : of the server, in place of the public one
    limits : when to give up

    Raises
    ------
    InputError
        that names the address, what happened there last, and the alternative
    """
    addresses = source.addresses(address)
    failures: dict[str, str] = {}
    for attempt in range(limits.rounds):
        if attempt:
            time.sleep(limits.pause * 2 ** (attempt - 1))
        for url in addresses:
            try:
                _fetch(url, source, target, limits)
                return
            except (OSError, http.client.HTTPException) as error:
                failures[url] = str(error)
    told = "; ".join(f"{why} ({url})" if url != addresses[0] else why for url, why in failures.items())
    raise InputError(addresses[0], f"not downloaded ({source.bytes:,} bytes of {source.table}): {told}", _ALTERNATIVE)


def _fetch(url: str, source: Source, target: Path, limits: Limits) -> None:
    """Copy what an address gives to a file.

    Raises
    ------
    OSError
        where it cannot be had, stalls, or has other bytes
    """
    digest, came, began = hashlib.sha256(), 0, time.monotonic()
    request = urllib.request.Request(url, headers={"User-Agent": "surefoot"})
    with (
        urllib.request.urlopen(request, timeout=limits.silence) as response,
        whole_file(target) as partial,
        partial.open("wb") as file,
    ):
        while piece := response.read1(_CHUNK):
            came, seconds = came + len(piece), time.monotonic() - began
            if came > source.bytes:
                raise OSError(f"more than the {source.bytes:,} bytes that the file has")
            if seconds > limits.silence and came < limits.slowest * seconds:
                raise OSError(f"stalled: {came:,} bytes in {seconds:.1f} s")
            digest.update(piece)
            file.write(piece)
        if digest.hexdigest() != source.sha256:
            what = f"sha256 {digest.hexdigest()[:16]}, not {source.sha256[:16]}"
            raise OSError(f"wrong content: {came:,} of {source.bytes:,} bytes, {what}")
