"""Tables of published scores out of the public files, and what a local folder holds of them."""

import pytest
from support.published_files import refuse

from surefoot.errors import InputError
from surefoot.runs.published.collecting import collect_published
from surefoot.runs.published.published_source import sources_of, table_in
from surefoot.workflow.project import PUBLISHED

GAMES = PUBLISHED / "atari_games.csv"


def test_a_folder_of_raw_files_is_found_and_checked(published_data, tmp_path):
    table = "recht2018/machado2018_means_stds"
    assert table_in(tmp_path, table) == {}
    for source in sources_of(table):
        path = tmp_path / source.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((published_data / "upstream" / source.place).read_bytes())
    given = table_in(tmp_path, table)
    assert set(given) == {source.place for source in sources_of(table)}
    sources = sources_of(table)
    assert len(collect_published(table, tmp_path, given, sources, GAMES, refuse)) == 480
    path.write_text(path.read_text().replace("5", "6"))
    with pytest.raises(
        InputError, match=r"the content differs from what was published .*Hint: get it again from https://"
    ):
        collect_published(table, tmp_path, given, sources, GAMES, refuse)


def test_a_table_without_a_column_is_an_error(tmp_path):
    path = tmp_path / "final_scores.csv"
    path.write_text("algorithm,game,score\nA,Alien,1\n")
    with pytest.raises(InputError, match=r"column run is missing; .* Hint: the required columns are algorithm"):
        collect_published("ale200m/final_scores", tmp_path, {"table": path}, (), None, refuse)


def test_an_unknown_table_names_the_nearest():
    with pytest.raises(InputError, match='did you mean "ale200m/final_scores"'):
        sources_of("ale200m/final_score")
