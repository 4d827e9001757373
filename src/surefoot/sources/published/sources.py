"""The catalogue of public files that published score tables are made of: addresses, mirrors, sizes and checksums.

Light on purpose: it is read whenever the workflow is parsed.
"""

import csv
import functools
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from surefoot.build.errors import InputError, nearest
from surefoot.build.project import PROJECT

PUBLISHED = PROJECT / "config" / "published"
CATALOGUE = PUBLISHED / "sources.csv"
ADDRESS = "https://raw.githubusercontent.com"
"""Where files of public repositories are served as they are, at <repository>/<commit>/<path>."""

KEPT = {
    "ale200m": "atari_games",
    "ale200m_curves": "atari_games",
    "dm_control_published_100k": "dm_control_means",
    "dm_control_published_500k": "dm_control_means",
    "ale200m/dopamine_curves": "atari_games",
    "ale200m/dreamerv2_curves": "atari_games",
    "recht2018/machado2018_means_stds": "atari_games",
}
"""The table that is kept with the project, `<name>.csv` in `PUBLISHED`, which some runs and conversions of
published tables need."""


class Source(NamedTuple):
    """A public file.

    table : the published table that it belongs to, such as "atari100k/final_scores"
    repository, commit, path : where it is
    bytes, sha256 : what it must be
    mirror : "<repository>@<commit>:<path>" with the same bytes, or ""
    """

    table: str
    repository: str
    commit: str
    path: str
    bytes: int
    sha256: str
    mirror: str

    @property
    def place(self) -> str:
        """Where the file lies in a folder of clones: <repository>/<path>."""
        return f"{self.repository}/{self.path}"

    def addresses(self, address: str = ADDRESS) -> list[str]:
        """Addresses to fetch it from, in the order in which they are tried."""
        found = [(self.repository, self.commit, self.path)]
        if self.mirror:
            repository, _, rest = self.mirror.partition("@")
            commit, _, path = rest.partition(":")
            found.append((repository, commit, path))
        return [f"{address}/{repository}/{commit}/{quote(path)}" for repository, commit, path in found]


def kept_for(needing: Iterable[str | None]) -> dict[str, Path]:
    """Paths by name of the kept tables that these need; most need none."""
    return {KEPT[name]: PUBLISHED / f"{KEPT[name]}.csv" for name in needing if name in KEPT}


@functools.cache
def catalogue() -> dict[str, tuple[Source, ...]]:
    """The files of each published table."""
    tables: dict[str, tuple[Source, ...]] = {}
    with CATALOGUE.open(newline="") as file:
        for row in csv.DictReader(file):
            source = Source(
                row["table"],
                row["repository"],
                row["commit"],
                row["path"],
                int(row["bytes"]),
                row["sha256"],
                row["mirror"],
            )
            tables[source.table] = (*tables.get(source.table, ()), source)
    return tables


def sources_of(table: str) -> tuple[Source, ...]:
    """The files of a published table.

    Raises
    ------
    InputError
        for a table that is not in the catalogue
    """
    known = catalogue()
    if table not in known:
        raise InputError("", f'there is no published table "{table}"', nearest(table, known))
    return known[table]


def table_in(folder: Path, table: str) -> dict[str, Path]:
    """What a local folder holds of a published table, by name; nothing where it is not whole.

    That is {"table": path} for the table itself, `<table>.csv`, `.csv.gz` or `.parquet`, else the path of every raw
    file by its name `<repository>/<path>`, laid out so in the folder or in its subfolder `upstream`.
    """
    for suffix in (".parquet", ".csv", ".csv.gz"):
        path = folder / f"{table}{suffix}"
        if path.is_file():
            return {"table": path}
    for root in (folder, folder / "upstream"):
        files = {source.place: root / source.place for source in sources_of(table)}
        if all(path.is_file() for path in files.values()):
            return files
    return {}
