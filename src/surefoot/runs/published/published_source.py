"""Source of published tables, and the catalogue of the public files that contain them.

The catalogue has addresses, mirrors, sizes and checksums. Planning imports this module, so it is kept light.
"""

import csv
import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

from pydantic import AfterValidator, Field

from surefoot.errors import HintedError, InputError, nearest
from surefoot.runs.sections import SomeNames
from surefoot.runs.sources.source_settings import SourceSettings, StudySources, run_source
from surefoot.workflow.job import Job
from surefoot.workflow.project import PUBLISHED, relative

CATALOGUE = PUBLISHED / "sources.csv"
ADDRESS = "https://raw.githubusercontent.com"
"""Base URL of files in public repositories, followed by <repository>/<commit>/<path>."""

KEPT = {
    "ale200m": "atari_games",
    "ale200m_curves": "atari_games",
    "dm_control_published_100k": "dm_control_means",
    "dm_control_published_500k": "dm_control_means",
    "ale200m/dopamine_curves": "atari_games",
    "ale200m/dreamerv2_curves": "atari_games",
    "recht2018/machado2018_means_stds": "atari_games",
}
"""Tables shipped with the project (`<name>.csv` in the folder `PUBLISHED`), by the name of the run table or published
table that needs them.
"""


class Source(NamedTuple):
    """A public file.

    table : the published table to which it belongs, such as "atari100k/final_scores"
    repository, commit, path : location
    bytes, sha256 : expected size and checksum
    mirror : "<repository>@<commit>:<path>" of a copy with the same bytes, or ""
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
        """Return the path of the file in a folder of clones: <repository>/<path>."""
        return f"{self.repository}/{self.path}"

    def addresses(self, address: str = ADDRESS) -> list[str]:
        """Return the addresses of the file, in the order in which they are tried."""
        mirrors = [self.mirror.replace("@", "/", 1).replace(":", "/", 1)] if self.mirror else []
        places = [f"{self.repository}/{self.commit}/{self.path}", *mirrors]
        return [f"{address}/{quote(place)}" for place in places]


def kept_for(needing: Iterable[str | None]) -> dict[str, Path]:
    """Return the paths of the shipped tables that the tables named in `needing` require, by name."""
    return {KEPT[name]: PUBLISHED / f"{KEPT[name]}.csv" for name in needing if name in KEPT}


@functools.cache
def catalogue() -> dict[str, tuple[Source, ...]]:
    """Return the files of each published table."""
    tables: dict[str, tuple[Source, ...]] = {}
    with CATALOGUE.open(newline="") as file:
        for row in csv.DictReader(file):
            fields: dict[str, Any] = row | {"bytes": int(row["bytes"])}
            tables[row["table"]] = (*tables.get(row["table"], ()), Source(**fields))
    return tables


def sources_of(table: str) -> tuple[Source, ...]:
    """Return the files of a published table.

    Raises
    ------
    InputError
        if the table is not in the catalogue
    """
    known = catalogue()
    if table not in known:
        raise InputError("", f'there is no published table "{table}"', nearest(table, known))
    return known[table]


def table_in(folder: Path, table: str) -> dict[str, Path]:
    """Return the files of a published table in a local folder, by name; {} if it is incomplete.

    If the folder has the table itself (`<table>.csv`, `.csv.gz` or `.parquet`), the result is {"table": path}.
    Otherwise it maps `<repository>/<path>` of every raw file to its path, in the folder or its subfolder `upstream`.
    """
    tables = (folder / f"{table}{suffix}" for suffix in (".parquet", ".csv", ".csv.gz"))
    return next(({"table": path} for path in tables if path.is_file()), {}) or files_in(folder, table)


def files_in(folder: Path, table: str) -> dict[str, Path]:
    """Return the raw files of a published table in a local folder, as in `table_in`."""
    for root in (folder, folder / "upstream"):
        files = {source.place: root / source.place for source in sources_of(table)}
        if all(path.is_file() for path in files.values()):
            return files
    return {}


def check_folder(folder: Path, tables: Sequence[str]) -> None:
    """Check that the local folder has at least one of the published tables used in studies.

    Raises
    ------
    HintedError
        if there is no such folder, or it has none of the tables
    """
    if not folder.is_dir():
        hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
        raise HintedError("", f'no folder "{folder}"', hint)
    if not any(table_in(folder, table) for table in tables):
        what = f'"{folder}" has neither a published table of these studies nor all files of one'
        hint = f"add {', '.join(dict.fromkeys(tables))} as CSV or Parquet, or the files of the source"
        raise HintedError("", what, hint if tables else "leave the key out: no study names published tables")


PUBLISHED_TABLES = "published"
"""Kind of a group of published tables in their original form, from which scales select runs by name."""


def _published(tables: tuple[str, ...]) -> tuple[str, ...]:
    for table in tables:
        sources_of(table)
    return tables


@run_source
class Published(SourceSettings):
    """Tables of published scores, by name.

    If the tables are neither in the local folder nor downloaded, figures are drawn from recorded results.
    """

    kind: Literal["published"] = "published"
    collected: Annotated[SomeNames, AfterValidator(_published), Field(alias="tables")]
    """Names of published tables. config/published/sources.csv lists the tables and the public files from which they are
    made.
    """

    def jobs_of(self, study: StudySources, name: str) -> list[Job]:
        """Return a job for each table; an empty list if a table is neither available nor to be downloaded."""
        public = study.published
        paths = self.published_paths(study.name, name)
        jobs = []
        for table in self.collected:
            found = table_in(Path(public.folder), table) if public.folder else {}
            if not found and not public.download:
                return []
            settings: dict[str, Any] = {"table": table, "files": [list(file) for file in sources_of(table)]}
            settings |= {"given": list(found)} if found else {"address": public.address}
            inputs = {f"file_{number}": relative(path) for number, path in enumerate(found.values())}
            if table in KEPT:
                inputs["games"] = relative(PUBLISHED / f"{KEPT[table]}.csv")
            rule = "convert_published" if found else "download"
            output = {"table": paths[table]}
            jobs.append(Job("collect", study.name, Path(paths[table]).stem, rule, settings, (), inputs, output))
        return jobs

    def published_paths(self, study: str, name: str) -> dict[str, str]:
        """Return {published table: path}."""
        folder = f"results/collect/{study}"
        return {table: f"{folder}/{name}.{table.replace('/', '_')}.parquet" for table in self.collected}

    def published_tables(self) -> tuple[str, ...]:
        """Return the names of the tables."""
        return self.collected

    def tables(self, name: str) -> dict[str, str]:
        """Return {name: kind} with a single entry for all published tables of the source."""
        return {name: PUBLISHED_TABLES}
