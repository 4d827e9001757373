"""Tables of published scores out of the public files, and what a local folder holds of them."""

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.paths import SHARED

from surefoot.errors import InputError
from surefoot.runs.pickled_arrays import read_pickled
from surefoot.runs.published.collecting import collect_published
from surefoot.runs.published.conversion import TABLES, convert
from surefoot.runs.published.source import catalogue, sources_of, table_in
from surefoot.runs.result_tables import read_table
from surefoot.workflow.project import PUBLISHED

DATA = SHARED / "data" / "agarwal2021"
GAMES = PUBLISHED / "atari_games.csv"
SCORES = {"score", "hns", "hns_final", "hns_max_of_10", "mean", "std", "random", "human", "human_world_record"}


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip(f"the tables to compare with are not here: {DATA}")
    return DATA


def refuse(*arguments):
    raise AssertionError("nothing may be computed or downloaded here")


@pytest.mark.parametrize("table", [table for table in TABLES if not table.startswith("adkins2024")])
def test_tables_from_the_raw_files_equal_the_tables(data, table):
    """To 1e-9, the curves to the seven digits that their table keeps."""
    files = {source.place: data / "upstream" / source.place for source in sources_of(table)}
    files = {place: path for place, path in files.items() if path.is_file()}
    made = convert(table, files, read_table(GAMES))
    kept = collect_published(table, Path("nowhere"), {"table": table_in(data, table)["table"]}, (), None, refuse)
    if "curves" in table:
        kept = kept[kept["game"].isin(made["game"])]
    names = [column for column in TABLES[table][1] if column not in SCORES]
    tolerance = 6e-7 if "curves" in table else 1e-9
    made, kept = (side.sort_values(names, ignore_index=True) for side in (made, kept))
    pd.testing.assert_frame_equal(made, kept, check_dtype=False, rtol=tolerance)


def test_every_table_has_a_conversion():
    assert set(catalogue()) == set(TABLES)
    assert sum(len(sources) for sources in catalogue().values()) == 108


def test_a_folder_of_raw_files_is_found_and_checked(data, tmp_path):
    table = "recht2018/machado2018_means_stds"
    assert table_in(tmp_path, table) == {}
    for source in sources_of(table):
        path = tmp_path / source.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((data / "upstream" / source.place).read_bytes())
    given = table_in(tmp_path, table)
    assert set(given) == {source.place for source in sources_of(table)}
    sources = sources_of(table)
    assert len(collect_published(table, tmp_path, given, sources, GAMES, refuse)) == 480
    path.write_text(path.read_text().replace("5", "6"))
    with pytest.raises(InputError, match=r"other bytes than were published .*Hint: get it again from https://"):
        collect_published(table, tmp_path, given, sources, GAMES, refuse)


def test_a_table_without_a_column_is_an_error(tmp_path):
    path = tmp_path / "final_scores.csv"
    path.write_text("algorithm,game,score\nA,Alien,1\n")
    with pytest.raises(InputError, match=r"column run is missing; .* Hint: the columns are algorithm"):
        collect_published("ale200m/final_scores", tmp_path, {"table": path}, (), None, refuse)


def test_an_unknown_table_names_the_nearest():
    with pytest.raises(InputError, match='did you mean "ale200m/final_scores"'):
        sources_of("ale200m/final_score")


class Harmful:
    def __reduce__(self):
        return (Path.touch, (Path("harm"),))


def test_a_pickle_that_runs_something_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("good.npy", {"A": {"Alien": np.arange(3.0)}}, allow_pickle=True)
    assert read_pickled(Path("good.npy"))["A"]["Alien"].tolist() == [0, 1, 2]
    np.save("bad.npy", {"A": Harmful()}, allow_pickle=True)
    with pytest.raises(InputError, match="is not needed to rebuild an array"):
        read_pickled(Path("bad.npy"))
    Path("other.npy").write_bytes(pickle.dumps({}))
    with pytest.raises(InputError, match="not read"):
        read_pickled(Path("other.npy"))
    assert not Path("harm").exists()
