"""Whether the published tables that a study names are known, and what is looked for in a local folder."""

from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.configuration.models import Configuration
from surefoot.configuration.places import Locate
from surefoot.sources.published.settings import Settings
from surefoot.sources.published.sources import sources_of, table_in


def check_tables(name: str, source: Settings, locate: Locate) -> None:
    """Whether the tables of a source are known.

    Raises
    ------
    InputError
    """
    for table in source.collected:
        try:
            sources_of(table)
        except InputError as error:
            raise InputError(locate("sources", name, "tables"), error.what, error.hint) from None


def check_folder(configuration: Configuration, locate: Locate) -> None:
    """Whether the local folder, where one is given, has published tables that some study names.

    Raises
    ------
    InputError
    """
    if configuration.published.folder is None:
        return
    folder, where = Path(configuration.published.folder), locate("published", "folder")
    if not folder.is_dir():
        hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
        raise InputError(where, f'no folder "{folder}"', hint)
    sources = [source for study in configuration.studies.values() for source in study.sources.values()]
    tables = [table for source in sources if isinstance(source, Settings) for table in source.collected]
    if not any(table_in(folder, table) for table in tables):
        what = f'"{folder}" holds none of the published tables of these studies, nor all files of one'
        hint = f"{', '.join(dict.fromkeys(tables))}, as CSV or Parquet, or the files of the source"
        raise InputError(where, what, hint if tables else "leave the key out: no study names published tables")
