"""Claims of the text of Jordan et al. 2020, asked of stand-ins for its results."""

import pandas as pd
import pytest
from stand_in import (
    covered,
    published_names,
    published_tables,
    recorded_intervals,
    settings,
    stand_in_tables,
)

from surefoot.figures.jordan2020 import comparison, verdict
from surefoot.figures.jordan2020.claims import claim_items


@pytest.fixture(scope="module")
def paper() -> dict[str, pd.DataFrame]:
    return published_tables()


_OF_DISTRIBUTIONS = ("claim/near_optimal", "claim/low_end", "claim/reliable_everywhere")


def answers(tables) -> pd.Series:
    return claim_items(tables).set_index("item")["ours"]


def test_the_claims_of_the_paper_follow_from_its_own_numbers(paper):
    """All but those of distributions and coverage, of which the paper prints no numbers."""
    said = answers(paper)
    published = paper["published"].set_index("item")["published"]
    asked = said.index[~said.index.str.startswith(_OF_DISTRIBUTIONS)]
    assert len(asked) == 15 + 10 + 18 + 1 + 22 + 2 + 8
    assert (said[asked] == published[asked]).all(), said[asked][said[asked] != published[asked]]


def test_the_claims_of_section_6_3_about_coverage_follow_from_table_2(paper):
    said, published = answers(paper | covered()), paper["published"].set_index("item")["published"]
    kinds = ("never_fails", "fails_rarely", "fails_less", "separates_some", "separates_all", "fails_too_often")
    asked = said.index[said.index.str.startswith(tuple(f"claim/{kind}" for kind in kinds))]
    assert len(asked) == 5 + 4 + 1 + 5 + 5 + 5
    assert (said[asked] == published[asked]).all(), said[asked][said[asked] != published[asked]]


def test_claims_about_coverage_are_contradicted_by_other_rates_and_left_open_by_few_data_sets(paper):
    def reasons(tables):
        return claim_items(paper | tables).set_index("item")

    failing = reasons(covered(failure_rate=0.2, significance=0.3))
    for item in ("claim/never_fails/pbp/30", "claim/fails_rarely/pbp_t/30", "claim/separates_all/pbp_t/10000"):
        assert failing.loc[item].tolist() == [0.0, ""], item
    assert failing.loc["claim/separates_some/pbp_t/10"].tolist() == [1.0, ""]
    few = reasons(covered(failure_rate=0.0, significance=0.0, datasets=20))
    assert few.loc["claim/separates_some/pbp_t/100"].tolist() == [0.0, "too few data sets to tell"]
    assert few.loc["claim/fails_less/pbp_t/10/10000", "reason"].startswith("neither fails")
    assert "claim/never_fails/pbp/30" not in answers(paper).index


def test_an_algorithm_that_is_good_everywhere_contradicts_that_there_is_none(paper):
    assert answers(paper)["claim/reliable_everywhere"] == 0
    rows = paper["estimate/dkw"]
    best = rows.groupby("environment")["score"].transform("max")
    changed = rows.assign(score=rows["score"].where(rows["algorithm"] != "ppo", best))
    assert answers(paper | {"estimate/dkw": changed})["claim/reliable_everywhere"] == 1


def test_claims_about_scores_need_the_whole_selection(paper):
    algorithms, environments = published_names()
    tables = stand_in_tables(algorithms, environments[:2], 250)
    kinds = {item.split("/")[1] for item in answers(tables).index}
    assert kinds == {"best", "near_optimal"}  # what is said of most or of all environments needs all of them
    assert not {item.split("/")[0] for item in comparison.comparison(tables)["item"]} & {"game_score"}
    assert answers(stand_in_tables(["sarsa", "q"], environments, 5)).empty


def test_a_claim_that_wide_intervals_leave_open_is_explained_and_one_that_they_contradict_is_not(paper):
    def first(low, high):
        rows = paper["estimate/pbp"].copy()
        rows.loc[rows["algorithm"] == "sarsa_parl2", ["low", "high"]] = low, high
        table = comparison.comparison(paper | {"estimate/pbp": rows}).set_index("item")
        return table.loc["claim/separated/pbp/sarsa_parl2/ac"]

    assert first(0.39, 0.55)["verdict"] == "reproduced"
    row = first(0.1, 0.55)
    assert (row["ours"], row["verdict"]) == (0.0, "explained")
    assert "overlap" in row["reason"]
    assert first(0.0, 0.01)["verdict"] == "differs"


def test_the_intervals_of_the_record_are_asked_of_the_claim(paper):
    table = recorded_intervals(paper)
    leaders = table["algorithm"].isin(["sarsa_parl2", "q_parl2"])
    values = {"pbp": 0.5, "pbp_t": 0.5, "bootstrap": 0.9}
    value = table["method"].map(values).where(leaders, 0.5)
    table = table.assign(value=value, low=value - 0.1, high=value + 0.1)

    def told(record):
        given = paper | {"record_intervals": record}
        return {row["item"]: row["text"] for row in verdict._recorded_score_items(given, settings())}["record_claim"]

    assert told(table) == (
        "Of the claim's 18 comparisons its intervals settle 0 by PBP, 0 by PBP-t and 18 by percentile bootstrap in its "
        "favour, and none against it."
    )
    assert told(table.assign(low=-table["high"], high=-table["low"])).endswith(
        "favour, and 18 by percentile bootstrap against it."
    )
    assert told(table.assign(environments="acrobot")) == ""
