"""Published numbers: complete, consistent, and those of the reference tables where these are at hand."""

import pandas as pd
import pytest
import scipy.stats
from stand_in import PUBLISHED

from surefoot.charts.selection import published_values
from surefoot.simulation.registry import ALGORITHMS, ENVIRONMENTS

PAIR = ["environment", "algorithm"]


@pytest.fixture(scope="module")
def published() -> pd.DataFrame:
    return pd.read_csv(PUBLISHED)


def test_items_are_unique_and_have_a_source(published):
    assert published["item"].is_unique
    assert published["source"].str.startswith("Jordan et al. 2020").all()
    results = published["item"].str.startswith(("mean", "game_score", "cdf/", "quantile/"))
    assert (published.loc[results, "runs"] == 10_000).all()
    exact = published[published["runs"].isna()]
    assert exact["tolerance"].notna().all()
    assert set(exact["item"].str.partition("/")[0]) == {"claim", "episodes"}


def test_all_pairs_of_the_package_have_a_mean_within_its_limits(published):
    means = published_values(published, "mean", PAIR).set_index(PAIR)["value"]
    low = published_values(published, "mean_low", PAIR).set_index(PAIR)["value"]
    high = published_values(published, "mean_high", PAIR).set_index(PAIR)["value"]
    assert len(means) == 165
    algorithms = [name for name in ALGORITHMS if not name.endswith("_tenth")]  # of Table 2 alone, which has no means
    assert set(means.index) == {(environment, algorithm) for environment in ENVIRONMENTS for algorithm in algorithms}
    assert ((low <= means) & (means <= high)).all()


def test_standard_errors_of_scores_are_those_of_the_published_bootstrap(published):
    """Were the resampled scores normal, the interval at level 0.05/165 would be this wide."""
    table = published.set_index("item")
    for item in table.index[table.index.str.startswith("game_score/")]:
        name = item.partition("/")[2]
        low, high = (table.loc[f"game_score_{end}/bootstrap/{name}", "published"] for end in ("low", "high"))
        error = (high - low) / 2 / scipy.stats.norm.isf(0.05 / 165 / 2)
        assert table.loc[item, "standard_error"] == pytest.approx(error, abs=1e-6)
