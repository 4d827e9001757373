"""Tables of agents, paired tests and bounds on times: by hand, against scipy, and on cases that break naive code."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from surefoot.statistics.comparison.plays import agent_table, best_runs, paired_z, time_bounds


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


def test_agents_have_their_means_intervals_and_times(table):
    found = agent_table(table).set_index(["algorithm", "parameters"])
    scores = table.loc[table["parameters"] == "k=9", "score"]
    row = found.loc["slow", "k=9"]
    assert row["value"] == pytest.approx(scores.mean())
    half = 1.96 * stats.sem(scores)
    assert (row["low"], row["high"]) == pytest.approx((scores.mean() - half, scores.mean() + half))
    assert row["seconds_decision"] == pytest.approx(3e-4)
    assert found["best"].to_dict() == {
        ("slow", "k=1"): False,
        ("slow", "k=9"): True,
        ("fast", ""): True,
        ("same", ""): True,
    }


def test_an_agent_that_failed_has_no_score(table):
    table.loc[(table["parameters"] == "k=9") & (table["run"] == 3), ["score", "failed"]] = np.nan, True
    found = agent_table(table).set_index(["algorithm", "parameters"])
    assert np.isnan(found.loc[("slow", "k=9"), "value"])
    assert found.loc[("slow", "k=9"), "failures"] == 1
    assert found.loc[("slow", "k=1"), "best"]
    assert "k=9" not in set(best_runs(table, "corrected", ["accurate/gc"])["parameters"])


def test_paired_tests_are_those_of_scipy(table):
    """The paired t statistic is the paired z; against a one-sided and a two-sided threshold."""
    found = paired_z(table).set_index(["algorithm", "opponent"])
    scores = {name: rows["score"].to_numpy() for name, rows in table.groupby(["algorithm", "parameters"])}
    expected = stats.ttest_rel(scores["slow", "k=9"], scores["fast", ""]).statistic
    assert found.loc[("slow", "fast"), "z"] == pytest.approx(expected)
    assert found.loc[("slow", "fast"), ["differs_two_sided", "differs_one_sided"]].all()
    pair = ("same", "slow") if ("same", "slow") in found.index else ("slow", "same")
    difference = stats.ttest_rel(scores["slow", "k=9"], scores["same", ""])
    assert found.loc[pair, "z"] == pytest.approx(abs(difference.statistic))
    assert found.loc[pair, "differs_two_sided"] == (abs(difference.statistic) >= 1.96)
    assert found.loc[pair, "differs_one_sided"] == (abs(difference.statistic) > 1.645)


def test_equal_scores_count_as_different_in_the_published_figures_alone():
    same = plays(
        {("a", ""): [1.0, 2.0], ("b", ""): [1.0, 2.0]},
        {("a", ""): 1.0, ("b", ""): 1.0},
        {("a", ""): 1.0, ("b", ""): 1.0},
    )
    (row,) = paired_z(same).to_dict("records")
    assert np.isnan(row["z"])
    assert (row["differs_two_sided"], row["differs_one_sided"]) == (True, False)


def test_best_algorithms_under_bounds(table):
    """By hand: times per trajectory of 5 us, 0.2, 1 and 3 ms; the slow one with k=9 also needs 4 ms offline."""
    found = time_bounds(table).set_index(["milliseconds_online", "milliseconds_offline"])
    assert found.index.get_level_values(0).unique().tolist() == pytest.approx([0.01, 0.05, 0.25, 1.25, 6.25])
    assert found.index.get_level_values(1).unique().tolist() == pytest.approx([0.01, 0.05, 0.25, 1.25, 6.25])
    first = found.xs(0.01, level=1)["algorithms"]
    assert first.tolist() == ["fast", "fast", "slow", "same", "same"]
    everything = found.iloc[-1]
    assert everything["agents"] == 4
    assert set(everything["algorithms"].split(", ")) == {"slow", "same"}


def test_nothing_is_best_where_nothing_is_allowed(table):
    table["seconds_online"] = 1.0
    assert time_bounds(table)["algorithms"].iloc[0] == ""


def test_the_run_table_has_the_best_parameters_of_the_variant(table):
    second = table.assign(variant="as_published", score=-table["score"])
    runs = best_runs(pd.concat([table.assign(variant="corrected"), second]), "as_published", ["accurate/gc"])
    assert runs.groupby("algorithm")["parameters"].first().to_dict() == {"fast": "", "same": "", "slow": "k=1"}
    assert list(runs["algorithm"].unique()) == ["slow", "fast", "same"]
    assert runs.groupby("algorithm").size().tolist() == [60, 60, 60]


def test_an_algorithm_that_lacks_an_environment_is_left_out(table):
    more = table[table["algorithm"] != "fast"].assign(environment="accurate/gdl")
    runs = best_runs(pd.concat([table, more]), "corrected", ["accurate/gc", "accurate/gdl"])
    assert set(runs["algorithm"]) == {"slow", "same"}


def test_one_agent_has_no_opponent_and_a_table_without_rows_keeps_its_columns(table, tmp_path):
    found = paired_z(table[table["algorithm"] == "fast"])
    found.to_csv(tmp_path / "z.csv", index=False)
    assert pd.read_csv(tmp_path / "z.csv").columns.tolist() == paired_z(table).columns.tolist()
    assert found.empty


def test_an_environment_where_all_failed_is_left_out_of_tests_and_bounds(table):
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
    assert agent_table(table).set_index("algorithm")["value"].idxmax() == "more"
    row = paired_z(table).iloc[0]
    expected = stats.ttest_rel(better, base).statistic
    assert (row["algorithm"], row["opponent"], row["runs"]) == ("fewer", "more", 40)
    assert row["z"] == pytest.approx(expected)
    assert row["differs_two_sided"]
    assert row["differs_one_sided"]
    assert set(time_bounds(table)["algorithms"]) == {"", "more, fewer"}
