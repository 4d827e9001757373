"""Download of public files whose size and checksum are known: retries, mirrors, stalls, and no half-written file.

A file is right or it is not there: it is written under a temporary name, checked, and renamed.
"""

import hashlib
import http.client
import logging
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from surefoot.build.errors import InputError
from surefoot.build.files import whole_file
from surefoot.sources.published.sources import ADDRESS, Source

logger = logging.getLogger("surefoot")

_CHUNK = 1 << 16
_WORTH_ANOTHER_TRY = (408, 425, 429)
ALTERNATIVE = (
    "name a local folder of the files or tables with collect.folder, or leave collect.download out: figures are then "
    "drawn from the record"
)


class Limits(NamedTuple):
    """How patient a download is.

    rounds : how often all addresses are tried
    pause : seconds before the second round; doubled before each further one
    silence : seconds without a byte, or to connect, after which a try is given up
    slowest : bytes a second below which a try counts as stalled, measured over `silence` seconds
    """

    rounds: int = 3
    pause: float = 0.5
    silence: float = 10.0
    slowest: float = 1000.0


class DownloadError(Exception):
    """One try failed; `final` where the same address need not be asked again."""

    def __init__(self, what: str, final: bool = False):
        self.final = final
        super().__init__(what)


def download(
    source: Source,
    target: Path,
    address: str = ADDRESS,
    limits: Limits = Limits(),  # noqa: B008 (a NamedTuple cannot change)
    progress: Callable[[int], None] | None = None,
) -> None:
    """Put a file in place, from the first address that gives the right bytes.

    Parameters
    ----------
    source : the file
    target : where the file goes. Nothing appears there before the whole file has come and its bytes are right.
    address : of the server, in place of the public one
    limits : when to give up
    progress : called with the number of bytes of each piece that came, and with what a failed try had brought, negative

    Raises
    ------
    InputError
        that names the address, what happened there last, and the alternative
    """
    addresses = source.addresses(address)
    failures: dict[str, str] = {}
    given_up: set[str] = set()
    for attempt in range(limits.rounds):
        if attempt:
            time.sleep(limits.pause * 2 ** (attempt - 1))
        for url in addresses:
            if url in given_up:
                continue
            try:
                _fetch(url, source, target, limits, progress)
                return
            except DownloadError as error:
                failures[url] = str(error)
                logger.info("download  %s: %s", url, error)
                if error.final:
                    given_up.add(url)
        if len(given_up) == len(addresses):
            break
    raise _failure(source, addresses, failures)


def _failure(source: Source, addresses: Sequence[str], failures: dict[str, str]) -> InputError:
    told = "; ".join(
        f"{failures[url]} ({url})" if position else failures[url] for position, url in enumerate(addresses)
    )
    return InputError(addresses[0], f"not downloaded ({source.bytes:,} bytes of {source.table}): {told}", ALTERNATIVE)


def _fetch(url: str, source: Source, target: Path, limits: Limits, progress: Callable[..., Any] | None) -> None:
    brought = 0

    def count(more: int) -> None:
        nonlocal brought
        brought += more
        if progress is not None:
            progress(more)

    try:
        with whole_file(target) as partial:
            with partial.open("wb") as file:
                digest = _copy(url, source.bytes, file, limits, count)
            if digest != source.sha256:
                raise DownloadError(f"wrong content: sha256 {digest[:16]}, not {source.sha256[:16]}")
    except DownloadError:
        count(-brought)
        raise


def _copy(url: str, size: int, file: BinaryIO, limits: Limits, progress: Callable[..., Any]) -> str:
    """Copy what the address gives into a file; returns the SHA-256 of exactly `size` bytes."""
    digest = hashlib.sha256()
    came, window, window_began = 0, 0, time.monotonic()
    try:
        request = urllib.request.Request(url, headers={"User-Agent": "surefoot"})
        with urllib.request.urlopen(request, timeout=limits.silence) as response:
            while piece := response.read1(_CHUNK):
                came, window = came + len(piece), window + len(piece)
                if came > size:
                    raise DownloadError(f"more than the {size:,} bytes that the file has")
                digest.update(piece)
                file.write(piece)
                progress(len(piece))
                waited = time.monotonic() - window_began
                if waited > limits.silence:
                    if came < size and window < limits.slowest * waited:
                        raise DownloadError(f"stalled: {window:,} bytes in {waited:.1f} s")
                    window, window_began = 0, time.monotonic()
    except urllib.error.HTTPError as error:
        gone = 400 <= error.code < 500 and error.code not in _WORTH_ANOTHER_TRY
        error.close()
        raise DownloadError(f"the server answers {error.code} {error.reason}", final=gone) from None
    except TimeoutError:
        raise DownloadError(f"stalled: no byte for {limits.silence:g} s after {came:,} of {size:,}") from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise DownloadError(f"no connection within {limits.silence:g} s") from None
        raise DownloadError(f"no connection: {error.reason}") from None
    except (http.client.HTTPException, OSError) as error:
        raise DownloadError(f"broken off after {came:,} of {size:,} bytes: {error}") from None
    if came < size:
        raise DownloadError(f"truncated: {came:,} of {size:,} bytes")
    return digest.hexdigest()
