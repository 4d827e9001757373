"""Collect published tables: find them in a local folder or download them, then check and convert them."""

import hashlib
import http.client
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.columns.run_names import refuse_missing_columns
from surefoot.runs.published.conversion import TABLES, convert
from surefoot.runs.published.published_source import ADDRESS, Source
from surefoot.runs.result_tables import read_table, write_table
from surefoot.workflow.files import sha256_file, whole_file
from surefoot.workflow.log import progress_reporter
from surefoot.workflow.runner import Task

_CONNECTIONS = 4
_CHUNK = 1 << 16
_ALTERNATIVE = (
    "set collect.folder to a local folder with the files or tables, or leave collect.download out: figures are then "
    "drawn from the record"
)


class Patience(NamedTuple):
    """Timeouts of a download, and pauses between attempts.

    Parameters
    ----------
    pauses : tuple of float
        Pauses in seconds; all addresses are tried after each pause.
    silence : float
        Timeout in seconds for connecting, and between bytes.
    slowest : float
        Minimum speed in bytes per second.
    """

    pauses: tuple[float, ...] = (0.0, 0.5, 1.0)
    silence: float = 10.0
    slowest: float = 1000.0


PATIENCE = Patience()


def collect(task: Task) -> None:
    """Write the published table that a job requests."""
    settings = task.settings
    path = task.outputs["table"]
    given = {place: task.inputs[f"file_{number}"] for number, place in enumerate(settings.get("given", ()))}
    sources = [Source(*source) for source in settings["files"]]
    address = settings.get("address", ADDRESS)
    games = task.inputs.get("games")
    table = collect_published(settings["table"], path.parent, given, sources, games, task.unit, address)
    write_table(table, path)


def collect_published(
    table: str,
    folder: Path,
    given: Mapping[str, Path],
    sources: Sequence[Source],
    games: Path | None,
    unit: Callable[..., Any] | None,
    address: str = ADDRESS,
) -> pd.DataFrame:
    """Return a published table.

    Parameters
    ----------
    table : such as "atari100k/final_scores"
    folder : temporary folder for downloaded files
    given : result of `table_in` for a local folder: the table, or its raw files; empty to download the files
    sources : the table's files
    games : the table of Atari games, required by the conversions of some tables
    unit : see `surefoot.workflow.runner.Task.unit`; each file becomes an entry of the store, so that no file is
        downloaded twice. None if all files are given
    address : see `download`

    Raises
    ------
    InputError
        if a file is unavailable or differs from the published one
    """
    if "table" in given:
        path = given["table"]
        columns = TABLES[table][1]
        ready = read_table(path)
        refuse_missing_columns(str(path), ready, columns)
        names = {column: str for column in columns if isinstance(ready[column].dtype, pd.CategoricalDtype)}
        return ready[list(columns)].astype(names)
    for source in sources if given else ():
        if sha256_file(given[source.place]) != source.sha256:
            hint = f"get it again from {source.addresses()[0]}"
            raise InputError(str(given[source.place]), f"the content differs from what was published for {table}", hint)
    files = given if unit is None else given or _downloaded(table, sources, folder, unit, address)
    return convert(table, files, None if games is None else read_table(games))


def _downloaded(
    table: str, sources: Sequence[Source], folder: Path, unit: Callable[..., Any], address: str
) -> dict[str, Path]:
    """Download files and return their paths by `<repository>/<path>`; no download begins after a failure."""
    report = progress_reporter(f"download {table}", len(sources), "files")
    paths = {source.place: folder / "files" / source.place for source in sources}

    def bring(source: Source) -> None:
        settings = {"sha256": source.sha256}
        unit("collect.file", settings, {}, lambda path: download(source, path, address), paths[source.place])

    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        for number, _ in enumerate(pool.map(bring, sources), 1):
            report(number)
    return paths


def download(source: Source, target: Path, address: str = ADDRESS, patience: Patience = PATIENCE) -> None:
    """Download a public file from the first address that serves the expected bytes.

    Parameters
    ----------
    target : path to write, which appears only after the complete file has been verified
    address : address of the server, in place of the public one
    patience : timeouts, and pauses between attempts

    Raises
    ------
    InputError
        if no address serves the expected bytes; the message names the address and the last failure there
    """
    first, *mirrors = source.addresses(address)
    failures: dict[str, str] = {}
    for pause in patience.pauses:
        time.sleep(pause)
        for url in (first, *mirrors):
            try:
                content = _fetched(url, source, patience)
            except (OSError, http.client.HTTPException) as error:
                failures[url] = str(error)
                continue
            with whole_file(target) as partial:
                partial.write_bytes(content)
            return
    reasons = "; ".join([failures[first], *(f"{failures[url]} ({url})" for url in mirrors)])
    raise InputError(first, f"not downloaded ({source.bytes:,} bytes of {source.table}): {reasons}", _ALTERNATIVE)


def _fetched(url: str, source: Source, patience: Patience) -> bytes:
    """Return the content at an address; raise an OSError if it is unavailable, too slow, or different."""
    latest = time.monotonic() + patience.silence + source.bytes / patience.slowest
    content = bytearray()
    request = urllib.request.Request(url, headers={"User-Agent": "surefoot"})
    opener = urllib.request.build_opener()  # urlopen would keep the proxies of its first use in the process
    with opener.open(request, timeout=patience.silence) as response:
        while len(content) <= source.bytes and (piece := response.read1(_CHUNK)):
            content += piece
            if time.monotonic() > latest:
                raise OSError(f"stalled: {len(content):,} of {source.bytes:,} bytes")
    sha256 = hashlib.sha256(content).hexdigest()
    if sha256 != source.sha256:
        what = f"sha256 {sha256[:16]}, not {source.sha256[:16]}"
        raise OSError(f"wrong content: {len(content):,} of {source.bytes:,} bytes, {what}")
    return bytes(content)
