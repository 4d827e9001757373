"""Wide tables, and LaTeX with the best in bold."""

import numpy as np
import pytest

import surefoot
from surefoot.errors import HintedError

RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(mean, 0.1, (5, 3)) for name, mean in (("our_s", 1.0), ("ppo", 0.99), ("bad", 0.1))}


def test_algorithms_x_metrics_have_estimates_with_intervals():
    result = surefoot.aggregate_metrics(SCORES, metrics=["iqm", "mean"], n_resamples=100)
    wide = result.table(wide=True)
    assert list(wide.index) == ["our_s", "ppo", "bad"] and list(wide.columns) == ["iqm", "mean"]
    row = result.table().set_index(["algorithm", "metric"]).loc["ppo", "mean"]
    assert wide.loc["ppo", "mean"] == f"{row['estimate']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"


def test_environments_x_algorithms_of_means():
    wide = surefoot.task_means(SCORES).table(wide=True)
    assert wide.shape == (3, 3) and wide.index.name == "environment" and list(wide.columns) == list(SCORES)


def test_ranks_differences_and_game_scores_have_wide_tables():
    ranks = surefoot.rank_probabilities(SCORES).table(wide=True)
    assert list(ranks.columns) == [1, 2, 3] and float(ranks.loc["bad", 3]) == 1.0
    pairs = surefoot.pairwise_differences(SCORES, n_resamples=50).table(wide=True)
    assert pairs.loc["our_s", "bad"] and list(pairs.columns) == ["ppo", "bad"]
    compared = surefoot.multiple_comparisons(SCORES, n_resamples=50).table(wide=True)
    assert list(compared.columns) == ["iqm", "difference to best"] and "[" not in compared["iqm"].iloc[0]


def test_the_best_and_those_tied_with_it_are_bold():
    result = surefoot.aggregate_metrics(SCORES, metrics=["iqm", "optimality_gap"], n_resamples=200)
    tied = surefoot.multiple_comparisons(SCORES, n_resamples=200, skip_checks=True).table().set_index("algorithm")
    lines = {line.split(" & ")[0]: line for line in result.latex().splitlines() if " & " in line}
    for name, is_tied in tied["tied_with_best"].items():
        assert (r"\textbf" in lines[name.replace("_", r"\_")].split(" & ")[1]) == is_tied
        assert r"\textbf" not in lines[name.replace("_", r"\_")].split(" & ")[2], "it is not compared"
    assert not tied["tied_with_best"]["bad"] and tied["tied_with_best"].sum() > 0
    assert result.latex().startswith(r"\begin{tabular}{lrr}")


def test_names_in_latex_are_text():
    arrays = {"a_1 \\ b^2 ~ 50%": SCORES["bad"], "c": SCORES["ppo"]}
    text = surefoot.aggregate_metrics(arrays, metrics=["mean"], n_resamples=20, skip_checks=True).latex()
    assert r"a\_1 \textbackslash{} b\textasciicircum{}2 \textasciitilde{} 50\%" in text


def test_a_table_without_estimates_has_no_wide_form():
    with pytest.raises(HintedError, match="has no estimate for each algorithm"):
        surefoot.shared_run_test(SCORES, size=2).table(wide=True)


def test_a_wide_table_has_a_single_threshold():
    profiles = surefoot.performance_profiles(SCORES, n_resamples=20)
    for show in (lambda: profiles.table(wide=True), profiles.latex):
        with pytest.raises(
            HintedError, match=r"thresholds, but a wide table has only one\. Hint: .* thresholds=\[0\.5\]"
        ):
            show()
    one = surefoot.performance_profiles(SCORES, thresholds=[0.5], n_resamples=20).table(wide=True)
    assert len(one) == len(SCORES)
