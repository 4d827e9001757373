"""Tables of agents, paired tests and bounds on times: by hand, against scipy, and on cases that break naive code.

Three views of one run table: against plain computations, and what must hold of any table.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from surefoot.statistics.comparison.paired_plays import (
    agent_table,
    best_runs,
    paired_z,
    time_bounds,
)


def plays(scores, online, offline, variant="", environment="accurate/gc"):
    """Plays of agents {(algorithm, parameters): scores}, with times in seconds of a trajectory of 10 decisions."""
    rows = []
    for (algorithm, parameters), values in scores.items():
        part = pd.DataFrame({"run": range(len(values)), "score": values})
        named = part.assign(algorithm=algorithm, parameters=parameters, variant=variant, environment=environment)
        rows.append(
            named.assign(
                failed=part["score"].isna(),
                seconds_offline=offline[algorithm, parameters],
                seconds_online=online[algorithm, parameters],
                decisions=10,
            )
        )
    return pd.concat(rows, ignore_index=True)


@pytest.fixture
def table():
    random = np.random.default_rng(1)
    base = random.normal(size=60)
    scores = {
        ("slow", "k=1"): base + 1.0 + 0.1 * random.normal(size=60),
        ("slow", "k=9"): base + 2.0 + 0.1 * random.normal(size=60),
        ("fast", ""): base,
        ("same", ""): base + 2.0 + 0.5 * random.normal(size=60),
    }
    online = {("slow", "k=1"): 2e-4, ("slow", "k=9"): 3e-3, ("fast", ""): 5e-6, ("same", ""): 1e-3}
    return plays(scores, online, dict.fromkeys(scores, 1e-6) | {("slow", "k=9"): 4e-3})


def test_an_agent_that_failed_has_no_score(table):
    table.loc[(table["parameters"] == "k=9") & (table["run"] == 3), ["score", "failed"]] = np.nan, True
    found = agent_table(table).set_index(["algorithm", "parameters"])
    assert np.isnan(found.loc[("slow", "k=9"), "estimate"])
    assert found.loc[("slow", "k=9"), "failures"] == 1
    assert found.loc[("slow", "k=1"), "best"]
    assert "k=9" not in set(best_runs(table, "corrected", ["accurate/gc"])["parameters"])


def test_equal_scores_differ_in_published_figures_alone():
    same = plays(
        {("a", ""): [1.0, 2.0], ("b", ""): [1.0, 2.0]},
        {("a", ""): 1.0, ("b", ""): 1.0},
        {("a", ""): 1.0, ("b", ""): 1.0},
    )
    (row,) = paired_z(same).to_dict("records")
    assert np.isnan(row["z"])
    assert (row["differs_two_sided"], row["differs_one_sided"]) == (True, False)


def test_best_agents_are_compared_by_published_quantiles():
    """1.96 on two sides, which z = sqrt(3) does not reach, and 1.645 on one."""
    scores = {("a", "k=1"): [1.0, 2.0, 3.0], ("a", "k=2"): [0.0, 0.0, 5.0], ("b", ""): [1.0, 1.0, 1.0]}
    (row,) = paired_z(plays(scores, dict.fromkeys(scores, 1e-4), dict.fromkeys(scores, 1e-6))).to_dict("records")
    assert (row["algorithm"], row["opponent"], row["z"]) == ("a", "b", pytest.approx(3**0.5))
    assert (row["differs_two_sided"], row["differs_one_sided"]) == (False, True)


def test_an_environment_where_all_failed_is_left_out(table):
    failed = table[table["algorithm"] == "fast"].assign(environment="accurate/gdl", score=np.nan, failed=True)
    both = pd.concat([table, failed])
    for made in (paired_z, time_bounds):
        pd.testing.assert_frame_equal(made(both), made(table))


def test_a_run_table_of_no_algorithm_is_refused(table):
    with pytest.raises(ValueError, match="no algorithm played in all environments without failures"):
        best_runs(table, "corrected", ["accurate/gc", "accurate/gdl"])


def test_the_better_one_of_a_pair_is_that_of_the_common_mdps():
    """One played twenty easy MDPs more: its mean is greater, but not on those that both played."""
    random = np.random.default_rng(5)
    base = random.normal(size=40)
    better = base + 1.0 + 0.1 * random.normal(size=40)
    scores = {("more", ""): np.concatenate([base, base[:20] + 9.0]), ("fewer", ""): better}
    table = plays(scores, dict.fromkeys(scores, 1e-4), dict.fromkeys(scores, 1e-6))
    assert agent_table(table).set_index("algorithm")["estimate"].idxmax() == "more"
    row = paired_z(table).iloc[0]
    expected = stats.ttest_rel(better, base).statistic
    assert (row["algorithm"], row["opponent"], row["runs"]) == ("fewer", "more", 40)
    assert row["z"] == pytest.approx(expected)
    assert row["differs_two_sided"]
    assert row["differs_one_sided"]
    assert set(time_bounds(table)["algorithms"]) == {"", "more, fewer"}
