"""When runs reach a score: Kaplan and Meier's share against scipy, exact limits, and the median's sign test."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import surefoot
from surefoot.questions.run_curves import share_reached
from surefoot.runs.sources.score_tables import tables_read
from surefoot.runs.sources.tables import LearningCurves


@pytest.mark.parametrize("seed", range(5))
def test_the_share_of_runs_is_that_of_scipy(seed):
    """Runs are censored at any step, with ties among steps and between both kinds. The limits are those of all runs, if
    runs that ended early never reach the score, or reach it at once."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(1, 12, 25).astype(float)
    reached = rng.random(25) < 0.6
    ours = share_reached(steps, reached, 12.0, 0.9)
    theirs = stats.ecdf(stats.CensoredData.right_censored(steps, ~reached))
    assert ours.share == pytest.approx(theirs.cdf.evaluate(ours.steps))
    assert (ours.low <= ours.share).all() and (ours.share <= ours.high).all()
    for step, low, high in zip(ours.steps, ours.low, ours.high, strict=True):
        never, at_once = np.where(reached, steps, np.inf), steps
        assert low == pytest.approx(stats.binomtest(int(np.sum(never <= step)), 25).proportion_ci(0.9, "exact").low)
        assert high == pytest.approx(stats.binomtest(int(np.sum(at_once <= step)), 25).proportion_ci(0.9, "exact").high)


def test_medians_with_censored_runs_by_hand():
    """Five runs: three reach the score at 10, 20, 30, and two never do, so that half have at the third."""
    found = share_reached(np.array([10.0, 20.0, 30.0, 40.0, 40.0]), np.array([1, 1, 1, 0, 0], bool), 40.0, 0.95)
    assert found.share.tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.6])
    median, low, high = found.median()
    assert median == 30 and low == 0 and np.isnan(high), "the sign test has no limits of five runs"
    none = share_reached(np.full(9, 40.0), np.zeros(9, bool), 40.0, 0.95).median()
    assert none[1] == 40 and np.isnan(none[0]) and np.isnan(none[2]), "half of the runs take longer"
    # A run that ends early counts as long as it is followed: then 1/4 of the four left, and 1/2 of the two of them.
    early = share_reached(np.array([5.0, 10.0, 15.0, 20.0, 30.0]), np.array([0, 1, 0, 1, 0], bool), 30.0, 0.95)
    assert early.share.tolist() == pytest.approx([0, 0, 0.25, 0.25, 1 - 0.75 * 0.5, 1 - 0.75 * 0.5])


@pytest.mark.parametrize("ending", ["together", "early", "just_before"])
@pytest.mark.parametrize("runs", range(2, 11))
def test_limits_of_the_median_hold_their_level(runs, ending):
    """300 studies of runs that all end after a while, of which three in ten end at random, or end because they were
    about to reach the score. Limits that miss in 5 % do so in 31 of 300 less than once in 10,000 times."""
    rng, missed, truth = np.random.default_rng(5), 0, 7.0  # the median of the whole steps after exponential ones
    for _ in range(300):
        steps = np.ceil(rng.exponential(10.0, runs))
        crashed = rng.random(runs) < 0.3
        at = np.ceil(rng.uniform(0.0, 25.0, runs)) if ending == "early" else np.maximum(steps - 3.0, 1.0)
        end = np.where(crashed & (ending != "together"), at, 25.0)
        _, low, high = share_reached(np.minimum(steps, end), steps <= end, 25.0, 0.95).median()
        missed += bool(low > truth or high < truth)
    assert missed < 31


RUN = ["algorithm", "environment", "run"]
RUN_NAME = ["algorithm", "environment", "run_name"]


def random_walks(runs=3, points=200, apart=0, environments=2):
    """Random walks; with `apart`, each run has steps of its own."""
    rng = np.random.default_rng(2)
    rows = [
        (name, f"task {place}", run, 10 * step + apart * run, score)
        for name in "ab"
        for place in range(environments)
        for run in range(runs)
        for step, score in enumerate(rng.normal(size=points).cumsum())
    ]
    return pd.DataFrame(rows, columns=[*RUN, "step", "score"])


@pytest.mark.parametrize(("runs", "points"), [(40, 500), (200, 300)])
def test_a_page_stays_light_and_keeps_the_ends(runs, points):
    table = random_walks(runs, points)
    found = surefoot.run_curves(table, points=2000).table()
    assert len(found) <= 2000
    single = found[found["curve"] == "run"]
    sizes = single.groupby(RUN_NAME).size()
    assert sizes.min() >= 10 and sizes.nunique() == 1
    assert len(sizes) == (4 * runs if runs < 200 else 4 * 49)
    assert (single.groupby(RUN_NAME)["step"].max() == 10 * (points - 1)).all() and (single["step"].min() == 0)
    kept = single.assign(run=single["run_name"].astype(int)).merge(table, on=[*RUN, "step"], suffixes=("", "_given"))
    assert len(kept) == len(single) and (kept["score"] == kept["score_given"]).all()
    last = found[(found["curve"] == "mean") & (found["step"] == 10 * (points - 1))]
    wanted = table[table["step"] == 10 * (points - 1)].groupby(["algorithm", "environment"])["score"].mean()
    means = last.set_index(["algorithm", "environment"])["score"]
    assert means[wanted.index].to_numpy() == pytest.approx(wanted.to_numpy())


def test_the_mean_of_runs_at_unlike_steps_uses_last_scores():
    """As `numpy.searchsorted` finds them, from where the last run begins to where the last one ends."""
    table = random_walks(points=200, apart=3, environments=1)
    found = surefoot.run_curves(table).table().query("curve == 'mean' and algorithm == 'a'")
    runs = [rows for _, rows in table.query("algorithm == 'a'").groupby("run")]
    assert found["step"].min() == 6 and found["step"].max() == 1996 and len(found) == 100
    assert set(found["step"]) <= {step for rows in runs for step in rows["step"]}, "no run was evaluated there"
    for step, score in zip(found["step"], found["score"], strict=True):
        known = [rows["score"].to_numpy()[rows["step"].searchsorted(step, side="right") - 1] for rows in runs]
        assert score == pytest.approx(np.mean(known))


def test_runs_without_common_steps_have_no_mean():
    late = random_walks(points=5, environments=1)
    late.loc[late["run"] == 2, "step"] += 1000
    found = surefoot.run_curves(late, short_runs="truncate_to_shortest").table()
    assert set(found["curve"]) == {"run"} and len(found) == len(late)


@pytest.mark.parametrize("policy", ["worst_score", "drop", "carry_forward", "truncate_to_shortest"])
def test_a_crashed_run_counts_in_the_mean_as_in_the_scores(policy, tmp_path):
    """The last point of a mean is the mean of the scores by the rule `last`; a run without any score counts too."""
    table = random_walks(points=20).assign(run=lambda rows: rows["run"].astype(str))
    crashed = (table["algorithm"] == "a") & (table["environment"] == "task 1") & (table["run"] == "2")
    table = table[~crashed | (table["step"] < 100)]
    failed = pd.DataFrame([("b", "task 0", "3", 0, np.nan)], columns=table.columns)
    pd.concat([table, failed]).to_csv(tmp_path / "curves.csv", index=False)
    source = LearningCurves(file="curves.csv", rule="last", short_runs=policy)
    read = tables_read(source, {"file": tmp_path / "curves.csv"})
    result = surefoot.run_curves(read["evaluations"])
    means = result.table().query("curve == 'mean'").drop_duplicates(["algorithm", "environment"], keep="last")
    scores = read["runs"].groupby(["algorithm", "environment"])["score"].mean()
    found = means.set_index(["algorithm", "environment"])["score"][scores.index]
    assert found.to_numpy() == pytest.approx(scores.to_numpy())
    assert (means["step"] == 190).all() == (policy != "truncate_to_shortest")
    said = result.finding()
    assert "1 of 3 runs of a in task 1" in said and ("b in task 0" in said) == (policy == "worst_score")


def curves(reaching, environment="maze"):
    """Runs {algorithm: steps at which each reaches 1, or None}, of scores that are 0 before and 1 or 0.5 after."""
    rows = [
        (name, environment, run, step, 0.0 if at is None or step < at else 1.0 - 0.5 * (step > at))
        for name, steps in reaching.items()
        for run, at in enumerate(steps)
        for step in range(100, 1100, 100)
    ]
    return pd.DataFrame(rows, columns=[*RUN, "step", "score"])


MAZE = curves({"fast": [100, 200, 200, 300, None], "slow": [500, None, None, None, 1000]})


def test_shares_and_medians_count_runs_that_never_arrive():
    found = surefoot.steps_to_threshold(MAZE.sample(frac=1, random_state=1), threshold=1)
    table = found.table().set_index("algorithm")
    assert table[["runs", "reached"]].values.tolist() in ([[5, 4], [5, 2]], [[5, 2], [5, 4]])
    fast, slow = table.loc["fast"], table.loc["slow"]
    exact = stats.binomtest(4, 5).proportion_ci(0.95, "exact")
    assert (fast["share"], fast["low"], fast["high"]) == pytest.approx((0.8, exact.low, exact.high))
    assert fast["median"] == 200 and fast["last_step"] == 1000
    assert slow["share"] == pytest.approx(0.4) and np.isnan(slow["median"]) and slow["median_low"] == 0
    curve = found.tables()["curves"].query("algorithm == 'fast'")
    assert curve["step"].tolist() == [0, 100, 200, 300, 1000]
    assert curve["share"].tolist() == pytest.approx([0, 0.2, 0.6, 0.8, 0.8])


def test_each_environment_may_have_a_threshold_of_its_own():
    both = pd.concat(
        [MAZE, curves({"fast": [100] * 5, "slow": [200] * 5}, "pole").assign(score=lambda t: 9 * t["score"])]
    )
    found = surefoot.steps_to_threshold(both, threshold={"maze": 1, "pole": 9})
    assert found.table().groupby("environment")["reached"].sum().to_dict() == {"maze": 6, "pole": 10}
    said = found.finding()
    assert said.startswith("Fewest steps to the score, by medians: fast in 2 of 2 environments.")
    assert said.endswith("It was reached by 9 of 10 runs of fast and 7 of 10 runs of slow.")
    with pytest.raises(ValueError, match=r'threshold: no curves for the environment "pol"\. Hint: did you mean "pole"'):
        surefoot.steps_to_threshold(both, threshold={"maze": 1, "pol": 9})
    with pytest.raises(ValueError, match=r"no threshold for pole\. Hint: add a threshold for pole, or"):
        surefoot.steps_to_threshold(both, threshold={"maze": 1})


def test_limits_of_the_mean_curve_are_students():
    """Against scipy at each step, and cut off at the scores that were seen."""
    from scipy import stats

    rng = np.random.default_rng(5)
    rows = [("a", "maze", run, step, rng.normal(10.0, 1.0)) for run in range(3) for step in range(50)]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    table = surefoot.run_curves(runs, confidence_level=0.99).table()
    mean = table[table["curve"] == "mean"].set_index("step")
    scores = runs.pivot(index="step", columns="run", values="score")
    low, high = stats.t.interval(0.99, 2, scores.mean(axis=1), scores.sem(axis=1))
    least, greatest = runs["score"].min(), runs["score"].max()
    assert mean["low"].to_numpy() == pytest.approx(np.maximum(low, least))
    assert mean["high"].to_numpy() == pytest.approx(np.minimum(high, greatest))
    assert (low < least).any() and (low > least).any()
