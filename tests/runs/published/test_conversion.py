"""Tables of published scores, converted from the public files."""

from pathlib import Path

import pandas as pd
import pytest
from support.published_files import refuse

from surefoot.runs.published.collecting import collect_published
from surefoot.runs.published.conversion import TABLES, convert
from surefoot.runs.published.published_source import catalogue, sources_of, table_in
from surefoot.runs.result_tables import read_table
from surefoot.workflow.project import PUBLISHED

GAMES = PUBLISHED / "atari_games.csv"
SCORES = {"score", "hns", "hns_final", "hns_max_of_10", "mean", "std", "random", "human", "human_world_record"}


@pytest.mark.parametrize("table", [table for table in TABLES if not table.startswith("adkins2024")])
def test_tables_from_the_raw_files_equal_the_tables(published_data, table):
    """To 1e-9, the curves to the seven digits that their table keeps."""
    files = {source.place: published_data / "upstream" / source.place for source in sources_of(table)}
    files = {place: path for place, path in files.items() if path.is_file()}
    made = convert(table, files, read_table(GAMES))
    kept = collect_published(
        table, Path("nowhere"), {"table": table_in(published_data, table)["table"]}, (), None, refuse
    )
    if "curves" in table:
        kept = kept[kept["game"].isin(made["game"])]
    names = [column for column in TABLES[table][1] if column not in SCORES]
    tolerance = 6e-7 if "curves" in table else 1e-9
    made, kept = (side.sort_values(names, ignore_index=True) for side in (made, kept))
    pd.testing.assert_frame_equal(made, kept, check_dtype=False, rtol=tolerance)


def test_every_table_has_a_conversion():
    assert set(catalogue()) == set(TABLES)
    assert sum(len(sources) for sources in catalogue().values()) == 108
