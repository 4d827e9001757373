"""Titles of algorithms, environments and metrics."""

import pandas as pd

from surefoot.charts.names import ALGORITHMS, PLACES, spoken_metric, titles_of, with_titles


def test_names_with_one_title_are_told_apart():
    titles = {"ppo_a": "PPO", "ppo_b": "PPO", "sac": "SAC"}
    found = titles_of(["sac", "ppo_b", "dqn", "", "ppo_a", "sac"], titles)
    assert found == {"sac": "SAC", "ppo_b": "PPO (ppo_b)", "dqn": "dqn", "ppo_a": "PPO (ppo_a)"}
    assert list(found) == ["sac", "ppo_b", "dqn", "ppo_a"]


def test_titles_stand_behind_their_names():
    table = pd.DataFrame({"environment": ["maze", "cliff"], "algorithm": ["q", "q"], "score": [1.0, 2.0]}, index=[7, 3])
    found = with_titles(table, {"q": "Q(λ)"}, {"maze": "Maze"})
    assert list(found) == ["environment", "environment_title", "algorithm", "title", "score"]
    assert found["environment_title"].tolist() == ["Maze", "cliff"] and set(found["title"]) == {"Q(λ)"}
    assert list(with_titles(table[["score"]])) == ["score"]


def test_metrics_are_spoken_in_lower_case_but_for_acronyms():
    assert (spoken_metric("iqm"), spoken_metric("optimality_gap")) == ("IQM", "optimality gap")
    assert spoken_metric("mine") == "mine"


def test_an_algorithm_of_several_benchmarks_has_one_place():
    for names in ALGORITHMS:
        assert [PLACES[name.casefold()] for name in names] == list(range(len(names)))
