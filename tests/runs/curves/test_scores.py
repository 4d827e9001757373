"""Curves to scores: each rule against brute force or a closed form, runs of unequal length, the bias of the best."""

import numpy as np
import pandas as pd
import pytest
from support.learning_curves import curve, each

import surefoot
from surefoot.errors import HintedError, Remark
from surefoot.runs.curves.rules import RULES


def score(curves, rule, **options):
    return surefoot.score_curves(curves, rule, **options)["score"].tolist()


def episodes_of(rows):
    """The scores with one entry an episode, at the mean of its evaluation."""
    return np.repeat(rows["score"].to_numpy(), rows["episodes"])


@pytest.mark.filterwarnings("ignore::surefoot.errors.Remark")
@pytest.mark.parametrize(
    ("rule", "rule_argument", "brute_force"),
    [
        ("last", None, lambda rows: rows["score"].iloc[-1]),
        ("last_k", 3, lambda rows: rows["score"].tail(3).mean()),
        ("last_episodes", 7, lambda rows: episodes_of(rows)[-7:].mean()),
        ("window", None, lambda rows: episodes_of(rows[rows["step"] > 0.9 * rows["step"].max()]).mean()),
        ("window", 0.5, lambda rows: episodes_of(rows[rows["step"] > 0.5 * rows["step"].max()]).mean()),
        ("window", 1.0, lambda rows: episodes_of(rows[rows["step"] > 0]).mean()),
        ("steps_to", 0.5, lambda rows: rows.loc[rows["score"] >= 0.5, "step"].min()),
        ("best", None, lambda rows: rows["score"].max()),
    ],
)
def test_rules_give_what_brute_force_gives(random_curves, rule, rule_argument, brute_force):
    found = surefoot.score_curves(random_curves, rule, rule_argument=rule_argument).sort_values(["algorithm", "run"])
    assert found["score"].to_numpy() == pytest.approx([brute_force(rows) for rows in each(random_curves)], rel=1e-12)
    assert found["selected"].unique().tolist() == [rule == "best"]


def test_the_area_is_over_one_range_for_all(random_curves):
    """Against the mean of the interpolated curve at a million places between 0 and the earliest end."""
    end = min(rows["step"].max() for rows in each(random_curves))
    middles = (np.arange(1_000_000) + 0.5) * end / 1_000_000
    wanted = [np.interp(middles, rows["step"], rows["score"]).mean() for rows in each(random_curves)]
    found = surefoot.score_curves(random_curves, "auc").sort_values(["algorithm", "run"])
    assert found["score"].to_numpy() == pytest.approx(wanted, abs=1e-6)


def test_steps_to_a_score_are_censored_where_it_is_not_reached():
    both = pd.concat([curve([1, 5, 3]), curve([1, 2, 3], run=1)])
    found = surefoot.score_curves(both, "steps_to", rule_argument=5.0)
    assert found["score"].tolist() == [20, 30] and found["censored"].tolist() == [False, True]
    assert RULES["steps_to"].lower_is_better


def test_the_absolute_score_is_the_one_that_was_evaluated_again():
    absolute = curve([7.0], [100]).assign(kind="absolute")
    found = surefoot.score_curves(absolute, "absolute")
    assert found["score"].tolist() == [7.0] and found["selected"].all() and found["kind"].tolist() == ["absolute"]
    assert surefoot.align_curves(curve([7.0, 8.0]).assign(kind="eval"))["kind"].tolist() == ["eval"] * 2
    with pytest.raises(HintedError, match="the curves do not have scores of the kind absolute"):
        surefoot.score_curves(curve([7.0, 8.0]), "absolute")


def test_short_runs_are_listed_unless_a_policy_is_given(unequal):
    with pytest.raises(HintedError) as caught:
        surefoot.score_curves(unequal)
    assert caught.value.what == "runs that end before the longest (1): a in x, run 2: 40 of 100"
    assert "carry_forward" in caught.value.hint
    assert score(unequal, "window", short_runs="drop") == [10.0, 9.5]
    assert score(unequal, "window", short_runs="carry_forward") == [10.0, 10.0, 8.0]
    assert score(unequal, "window", short_runs="truncate_to_shortest") == [4.0, 4.0, 8.0]
    assert score(unequal, "last", short_runs="truncate_to_shortest") == [4.0, 4.0, 8.0]
    with pytest.raises(HintedError, match=r"runs that end before the longest \(1\)"):
        surefoot.score_curves(unequal, tolerance=0.01)  # 98 is within half an interval of 100
    denser = curve(np.arange(1.0, 99.0), np.arange(1, 99), run=3)
    with pytest.raises(HintedError, match=r"runs that end before the longest \(2\)"):
        surefoot.score_curves(pd.concat([unequal, denser]), tolerance=0.01)


def own_lines(curves, share=0.1):
    """The mean of the evaluations in the last tenth of the steps up to the shortest run's end."""
    end = min(rows["step"].max() for rows in each(curves))
    return [
        rows.loc[(rows["step"] > (1 - share) * end) & (rows["step"] <= end), "score"].mean() for rows in each(curves)
    ]


def test_runs_evaluated_a_few_steps_apart_are_equally_long():
    """The same learner, evaluated each 250,000 steps and each 249,984: neither is short, and nothing is cut."""
    at = np.arange(1, 5)
    steps = {"a": at * 250_000, "b": at * 249_984}
    both = pd.concat([curve(step / 1000.0, step, name) for name, step in steps.items()])
    for policy in ("error", "truncate_to_shortest", "drop"):
        assert score(both, "window", short_runs=policy) == [1000.0, 999.936], policy
        assert score(both, "last", short_runs=policy) == [1000.0, 999.936], policy
        aligned = surefoot.align_curves(both, 5, short_runs=policy)
        assert aligned["score"].tolist()[4::5] == [1000.0, 999.936], "curves end with the last score of each run"


@pytest.mark.parametrize("seed", range(2))
def test_windows_up_to_the_shortest_run_match_plain_numpy(seed):
    rng = np.random.default_rng(seed)
    parts = []
    for run, last in enumerate([1000, 996, 520, 930]):
        steps = np.arange(1, last // 9) * 9 + rng.integers(0, 9)
        parts.append(curve(rng.normal(size=steps.size), steps, run=run))
    curves = pd.concat(parts)
    assert score(curves, "window", short_runs="truncate_to_shortest") == pytest.approx(own_lines(curves), rel=1e-12)


def test_an_empty_window_is_refused_with_a_hint_that_works():
    seldom = curve([1.0, 2.0, 3.0, 4.0], [250, 500, 750, 1000])
    often = curve(np.arange(1.0, 9.0), np.arange(1, 9) * 50, run=1)
    with pytest.raises(HintedError) as caught:
        surefoot.score_curves(pd.concat([seldom, often]), short_runs="truncate_to_shortest")
    assert "a in x, run 0 has no evaluation in the last 0.1 of the steps up to 400" in caught.value.what
    assert caught.value.hint.startswith("use a wider window (rule_argument), or short_runs=")
    both = pd.concat([seldom, often])
    assert (
        score(both, "window", rule_argument=0.38, short_runs="truncate_to_shortest")
        == [1.0, 6.5]
        == own_lines(both, 0.38)
    )
    late = pd.concat([often, curve([1.0, 2.0], [500, 1000])])
    with pytest.raises(HintedError, match=r"no evaluation in the steps up to .*Hint: short_runs=\"carry_forward\" or"):
        surefoot.score_curves(late, "last", short_runs="truncate_to_shortest")


def test_repeated_steps_and_several_kinds_are_refused():
    with pytest.raises(HintedError, match=r"a in x, run 0 has step 10 twice\. Hint: average the episodes"):
        surefoot.score_curves(curve([1, 2], [10, 10]))
    kinds = curve([1, 2]).assign(kind=["eval", "train"])
    with pytest.raises(HintedError, match="scores of several kinds or metrics"):
        surefoot.score_curves(kinds)


@pytest.mark.parametrize("slope", [0.0, 0.02])
def test_selection_bias_is_an_expected_maximum(slope):
    """Of 20 normal errors without a trend: 1.8675 standard deviations (by integrating x d Phi(x)^20).

    Where the policy improves along a line, the truth is what the best evaluation exceeds its own expectation by.
    Biases within four standard errors: fails falsely less than once in 8,000 seeds.
    """
    rng = np.random.default_rng(5)
    runs, points = 4000, 20
    expected = slope * np.arange(points)
    noise = rng.normal(size=(runs, points))
    scores = expected + noise
    chosen = scores.argmax(axis=1)
    truth = noise[np.arange(runs), chosen].mean()
    grid = np.linspace(-9, 9, 200_001)
    density = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
    cumulative = np.cumsum(density) * (grid[1] - grid[0])
    of_maximum = np.sum(grid * points * cumulative ** (points - 1) * density) * (grid[1] - grid[0])
    assert of_maximum == pytest.approx(1.8675, abs=1e-3)
    table = curve(scores.ravel(), np.tile(np.arange(points), runs), run=np.repeat(np.arange(runs), points))
    (found,) = surefoot.selection_bias(table).to_dict("records")
    assert found["best"] == pytest.approx(scores.max(axis=1).mean())
    assert found["judged"] == pytest.approx(found["best"] - found["bias"])
    assert abs(found["bias"] - truth) < 4 * found["standard_error"]
    if slope == 0.0:
        assert abs(found["bias"] - of_maximum) < 4 * found["standard_error"]
        assert found["standard_error"] < 0.05


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("question", [surefoot.score_curves, surefoot.selection_bias, surefoot.run_curves])
def test_scores_that_are_not_finite_are_refused(question, value):
    rows = [("a", "x", run, step, 1.0) for run in (0, 1) for step in (10, 20, 30, 40)]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    table.loc[5, "score"] = value
    with pytest.raises(HintedError, match=r"not finite.*a in x, run 1: score"):
        question(table)


def every(interval, name="a", environment="x", run=0):
    """Evaluations each so many of 10,000 steps of a learner whose score is the percentage of the training."""
    steps = np.arange(interval, 10_001, interval)
    return curve(steps / 100.0, steps, name, environment, run)


def test_evaluations_of_unlike_parts_of_training_are_remarked():
    """Equal learners, evaluated each 700 and each 1,000 steps: the last tenth has two evaluations and one."""
    both = pd.concat([every(700), every(1000, "b"), every(700, environment="y"), every(1000, "b", "y")])
    with pytest.warns(Remark) as warned:
        scores = surefoot.score_curves(both)
    assert scores["score"].tolist() == [94.5, 100.0, 94.5, 100.0]
    (text,) = (str(one.message) for one in warned)
    assert "in x, y; for example, in x, a at step 9,450 on average (2 per score) and b at step 10,000" in text
    assert "favours b" in text
    compared = surefoot.score_curves(both, "auc")
    first = 10.0  # where the later of the two begins
    assert compared["score"].tolist() == pytest.approx([(first + 98.0) / 2.0] * 4)


@pytest.mark.parametrize(
    ("other", "rule", "options"),
    [
        (every(1000, "b"), "window", {}),
        (every(500, "b"), "last", {}),
        (every(10, "b", run=1), "window", {"rule_argument": 0.5}),
        (every(1000, "b").head(5), "window", {"short_runs": "carry_forward"}),
        (every(1000, "b").head(5), "window", {"short_runs": "truncate_to_shortest"}),
    ],
)
def test_evaluations_of_one_part_of_training_have_no_remark(other, rule, options):
    """Warnings are errors in tests."""
    between = every(1000) if "rule_argument" not in options else every(20)
    surefoot.score_curves(pd.concat([between, other]), rule, **options)
