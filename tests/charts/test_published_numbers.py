"""Published numbers: complete, consistent, and those of the reference tables where there are any."""

import pandas as pd
import pytest
import scipy.stats
from support.paths import SHARED
from support.stand_in_tables import PUBLISHED

from surefoot.charts.published_numbers import label
from surefoot.charts.selection import published_values
from surefoot.simulation.simulation_registry import ALGORITHMS, ENVIRONMENTS

GOLDEN = SHARED / "golden"
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
    results = published["item"].str.startswith(("mean", "game_score", "cdf/", "quantile/"))
    assert (published.loc[results, "runs"] == 10_000).all()
    exact = published[published["runs"].isna()]
    assert exact["tolerance"].notna().all()
    assert set(exact["item"].str.partition("/")[0]) == {"claim", "episodes"}


def test_all_pairs_of_the_package_have_a_mean_within_its_limits(published):
    means = published_values(published, "mean", PAIR).set_index(PAIR)["estimate"]
    low = published_values(published, "mean_low", PAIR).set_index(PAIR)["estimate"]
    high = published_values(published, "mean_high", PAIR).set_index(PAIR)["estimate"]
    assert len(means) == 165
    algorithms = [name for name in ALGORITHMS if not name.endswith("_tenth")]  # of Table 2 alone, which has no means
    assert set(means.index) == {(environment, algorithm) for environment in ENVIRONMENTS for algorithm in algorithms}
    assert ((low <= means) & (means <= high)).all()


def test_means_are_those_of_the_reference(published):
    reference = golden("performance").set_index(PAIR)
    ranks = {f"mean_{name}": name for name in ("rank", "rank_low", "rank_high")}
    for item, column in ({"mean": "mean", "mean_low": "low", "mean_high": "high"} | ranks).items():
        ours = published_values(published, item, PAIR).set_index(PAIR)["estimate"]
        assert ours.sort_index().equals(reference[column].astype(float).sort_index().rename("estimate"))


@pytest.mark.parametrize("method", METHOD_FILES)
def test_scores_and_limits_are_those_of_the_reference(published, method):
    reference = golden(METHOD_FILES[method]).set_index("algorithm")
    scores = published_values(published, "game_score", ["algorithm"]).set_index("algorithm")["estimate"]
    assert scores.to_dict() == reference["score"].to_dict()
    columns = {"low": "score_low", "high": "score_high"} | {name: name for name in ("rank", "rank_low", "rank_high")}
    for name, column in columns.items():
        ours = published_values(published, f"game_score_{name}", ["method", "algorithm"])
        ours = ours[ours["method"] == method].set_index("algorithm")["estimate"]
        assert ours.to_dict() == reference[column].to_dict()


def test_rates_of_coverage_are_those_of_the_reference(published):
    reference = golden("coverage").set_index("samples")
    ours = published_values(published, "coverage", ["method", "size", "rate"])
    assert len(ours) == 30
    names = {"failure_rate": "failure_rate", "significance": "significant"}
    for row in ours.itertuples():
        assert row.estimate == reference.loc[int(row.size), f"{METHOD_FILES.get(row.method)}_{names[row.rate]}"]


def test_points_of_distributions_are_those_of_the_reference(published):
    reference = golden("digitised")
    table = published.set_index("item")
    for row in reference.itertuples():
        found = table.loc[f"{row.quantity}/{row.environment}/{row.algorithm}/{row.x:g}"]
        assert (found["published"], found["rounding"]) == (row.value, row.tolerance)


def test_standard_errors_are_those_of_the_published_bootstrap(published):
    """Were the resampled scores normal, the interval at level 0.05/165 would be this wide."""
    table = published.set_index("item")
    for item in table.index[table.index.str.startswith("game_score/")]:
        name = item.partition("/")[2]
        low, high = (table.loc[f"game_score_{end}/bootstrap/{name}", "published"] for end in ("low", "high"))
        error = (high - low) / 2 / scipy.stats.norm.isf(0.05 / 165 / 2)
        assert table.loc[item, "standard_error"] == pytest.approx(error, abs=1e-6)


def test_the_longest_known_prefix_decides_a_label():
    labels = {"mean": "mean of {1}, {0}", "claim/best": "{0} is best", "claim": "something"}
    for item, text in (
        ("mean/maze/q", "Mean of Q(λ), Maze"),
        ("claim/best/q", "Q(λ) is best"),
        ("claim/other_thing", "Something"),
        ("iqm/a_b/10000", "IQM: a b, 10,000"),
        ("time_to_goal", "Time to goal"),
    ):
        assert label(item, labels, {"q": "Q(λ)", "maze": "Maze"}) == text
