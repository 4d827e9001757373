"""Published numbers: complete, consistent, and those of the reference tables where these are at hand."""

from pathlib import Path

import pandas as pd
import pytest
from stand_in import PUBLISHED

from surefoot.figures.selection import published_values
from surefoot.simulation.registry import ALGORITHMS, ENVIRONMENTS

GOLDEN = Path(__file__).parents[3] / "shared" / "golden"
METHOD_FILES = {"pbp": "pbp", "pbp_t": "pbpt", "bootstrap": "bootstrap"}
PAIR = ["environment", "algorithm"]


@pytest.fixture(scope="module")
def published() -> pd.DataFrame:
    return pd.read_csv(PUBLISHED)


def golden(name: str) -> pd.DataFrame:
    path = GOLDEN / f"jordan2020_{name}.csv"
    if not path.is_file():
        pytest.skip(f"the reference table {path} is not here: it is not part of the repository")
    return pd.read_csv(path)


def test_items_are_unique_and_have_a_source(published):
    assert published["item"].is_unique
    assert published["source"].str.startswith("Jordan et al. 2020").all()
    assert (published["runs"] == 10_000).all()


def test_all_pairs_of_the_package_have_a_mean_within_its_limits(published):
    means = published_values(published, "mean", PAIR).set_index(PAIR)["value"]
    low = published_values(published, "mean_low", PAIR).set_index(PAIR)["value"]
    high = published_values(published, "mean_high", PAIR).set_index(PAIR)["value"]
    assert len(means) == 165
    assert set(means.index) >= {(environment, algorithm) for environment in ENVIRONMENTS for algorithm in ALGORITHMS}
    assert ((low <= means) & (means <= high)).all()


def test_means_are_those_of_the_reference(published):
    reference = golden("performance").set_index(PAIR)
    for item, column in {"mean": "mean", "mean_low": "low", "mean_high": "high"}.items():
        ours = published_values(published, item, PAIR).set_index(PAIR)["value"]
        assert ours.sort_index().equals(reference[column].sort_index().rename("value"))


@pytest.mark.parametrize("method", METHOD_FILES)
def test_scores_and_limits_are_those_of_the_reference(published, method):
    reference = golden(METHOD_FILES[method]).set_index("algorithm")
    scores = published_values(published, "game_score", ["algorithm"]).set_index("algorithm")["value"]
    assert scores.to_dict() == reference["score"].to_dict()
    for limit in ("low", "high"):
        ours = published_values(published, f"game_score_{limit}", ["method", "algorithm"])
        ours = ours[ours["method"] == method].set_index("algorithm")["value"]
        assert ours.to_dict() == reference[f"score_{limit}"].to_dict()
