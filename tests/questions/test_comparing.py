"""Comparisons of algorithms by several questions: one answer, and remarks on runs that are few, shared or unlike."""

import re

import numpy as np
import pandas as pd
import pytest

import surefoot

RNG = np.random.default_rng


@pytest.mark.parametrize(
    ("ask", "times"),
    [
        ("pairwise_differences", 1),
        ("multiple_comparisons", 1),
        ("aggregate_metrics", 0),
        ("probability_of_improvement", 0),
        ("performance_profiles", 0),
    ],
)
def test_comparisons_of_metrics_say_unlike_numbers_of_runs_once(ask, times):
    draw = np.random.default_rng(0)
    rows = [
        (name, f"t{task}", run, draw.normal())
        for name, counts in (("a", (2, 20)), ("b", (20, 2)))
        for task, count in enumerate(counts)
        for run in range(count)
    ]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    options = {"thresholds": [0.0]} if ask == "performance_profiles" else {}
    said = getattr(surefoot, ask)(table, n_resamples=50, skip_checks=True, **options).finding()
    assert said.count("different numbers of runs per task (2 to 20)") == times
    assert said.count("qual algorithms then differed significantly in 7 to 8 %") == times
    alike = table[table["run"] < 2]
    assert "numbers of runs" not in getattr(surefoot, ask)(alike, n_resamples=50, skip_checks=True, **options).finding()


def test_unlike_numbers_of_runs_are_remarked_upon():
    """Only if algorithms divide their runs differently: 3 and 6 runs of every task are alike."""
    rng = np.random.default_rng(4)
    a, b, c = ([rng.normal(size=size) for size in sizes] for sizes in ((3, 6, 6), (6, 3, 6), (3, 6, 6)))
    unlike, alike = {"a": a, "b": b}, {"a": a, "c": c}
    words = "the algorithms have different numbers of runs per task (3 to 6)"
    assert words in surefoot.pairwise_differences(unlike, n_resamples=200).table()["remark"][0]
    assert (
        surefoot.multiple_comparisons(unlike, n_resamples=200).table()["remark"].str.contains(words, regex=False).all()
    )
    assert "numbers of runs" not in surefoot.pairwise_differences(alike, n_resamples=200).table()["remark"][0]
    by_runs = surefoot.pairwise_differences(unlike, metrics="iqm weighted by runs", n_resamples=200).table()
    assert "equal algorithms differ" in by_runs["remark"][0]


@pytest.mark.parametrize("compare", [surefoot.pairwise_differences, surefoot.multiple_comparisons])
@pytest.mark.parametrize("count", [2, 3])
def test_comparisons_stand_beside_those_of_whole_runs(compare, count):
    """Few runs with names in common, of which the test cannot tell whether they vary together."""
    draw = np.random.default_rng(4)
    scores = {name: draw.normal(size=(3, 5)) for name in "abc"[:count]}
    found = compare(scores)
    table = found.table()
    whole = compare(scores, shared_runs=True).table()
    assert (table["shared_runs"] == "cannot tell").all() and (table["shared_runs_p_value"] > 0.05).all()
    assert table["remark"].str.startswith("runs may vary together on all tasks (p = ").all()
    assert (table[["low_whole_runs", "high_whole_runs"]].to_numpy() == whole[["low", "high"]].to_numpy()).all()
    assert (whole[["low", "high"]].to_numpy() == whole[["low_whole_runs", "high_whole_runs"]].to_numpy()).all()
    assert f"(p = {table['shared_runs_p_value'].min():.2g})" in found.finding()
    apart = compare(scores, shared_runs=False).table()
    assert (apart[["low", "high"]].to_numpy() == table[["low", "high"]].to_numpy()).all()
    assert apart["low_whole_runs"].isna().all() and not apart["remark"].str.contains("vary together").any()


def test_whole_runs_of_one_algorithm_only_are_said_to_be():
    """The runs of a have the same order on all tasks, those of b do not; the interval is of neither for both."""
    draw = np.random.default_rng(4)
    luck = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])[:, None]
    scores = {"a": 0.5 + 0.1 * luck + 0.01 * draw.normal(size=(5, 3)), "b": 0.5 + 0.1 * draw.normal(size=(5, 3))}
    said = "uns of some of the algorithms seem to vary together on all tasks (p = 0.001), so whole runs count for these"
    for question in (surefoot.pairwise_differences, surefoot.multiple_comparisons, surefoot.probability_of_improvement):
        found = question(scores)
        table = found.table()
        assert said in found.finding()
        limits = [question(scores, shared_runs=shared).table()[["low", "high"]].to_numpy() for shared in (True, False)]
        assert not any(np.allclose(table[["low", "high"]], each) for each in limits)
        assert (table[["low_whole_runs", "high_whole_runs"]].to_numpy() == limits[0]).all()
        assert "remark" not in table or table["remark"].str.startswith(f"r{said}").all()
    thresholds = {"thresholds": [0.4, 0.6], "n_resamples": 100}
    assert "Where tasks seem to share runs, the" in surefoot.performance_profiles(scores, **thresholds).finding()
    curves = {name: np.repeat(each[:, :, None], 3, axis=2) for name, each in scores.items()}
    found = surefoot.curve_differences(curves, n_resamples=100)
    assert (found.table()["shared_runs"] == "found for some").all() and "whole runs count for these" in found.finding()


def drawn_runs(rng):
    """Two to five algorithms with unlike spreads and numbers of runs: normal, skewed, tied, or of 0 and 1."""
    count, tasks = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    law = rng.choice(["normal", "skewed", "tied", "binary"])
    runs = {}
    for name in "abcde"[:count]:
        shape = (int(rng.integers(3, 9)), tasks)
        noise = rng.normal(rng.choice([0.0, 0.5, 1.5]), rng.choice([0.2, 1.0]), shape)
        laws = {"normal": noise, "skewed": np.exp(noise), "tied": noise.round(), "binary": (noise > 0.5).astype(float)}
        runs[name] = laws[law]
    return runs


@pytest.mark.parametrize("baseline", [None, "b"])
def test_both_questions_give_one_answer(baseline):
    """Twenty-five data sets: the pairs of both are the same to the last bit, an interval excludes 0 if and only if its
    p-value is at most 5 %, letters, ranks, verdicts and sentences say the same, and metrics alone name none as best."""
    rng = RNG(9)
    for _ in range(25):
        runs = drawn_runs(rng)
        options = {
            "baseline": baseline,
            "n_resamples": 100,
            "skip_checks": True,
            "lower_is_better": bool(rng.random() < 0.5),
        }
        found = surefoot.multiple_comparisons(runs, **options)
        pairs = found.tables()["pairs"]
        known = surefoot.pairwise_differences(runs, **options).table()
        assert pairs[["algorithm", "baseline"]].equals(known[["algorithm", "baseline"]])
        for one, other in (("difference", "estimate"), ("low", "low"), ("high", "high"), ("p_value", "p_value")):
            np.testing.assert_array_equal(pairs[one], known[other])
        excludes = (pairs["low"] > 0) | (pairs["high"] < 0)
        assert (excludes == (pairs["p_value"] <= 0.05)).all() and (excludes == known["separated"]).all()
        rows = found.table().set_index("algorithm")
        if baseline is not None:
            words = {"": "not separated", baseline: "worse"}
            expected = {pair.algorithm: words.get(pair.better, "better") for pair in known.itertuples()}
            expected |= dict.fromkeys(known.loc[known["low"].isna(), "algorithm"], "not compared")
            assert rows["verdict"].to_dict() == expected
            continue
        worse = dict.fromkeys(runs, 0)
        for pair in known.dropna(subset="low").itertuples():
            shared = {*rows.group_letters[pair.algorithm]} & {*rows.group_letters[pair.baseline]} - {"\N{EN DASH}"}
            compared = not {pair.algorithm, pair.baseline} & {*rows.index[rows["verdict"] == "not compared"]}
            assert bool(shared) != pair.separated or not compared
            if pair.separated:
                worse[pair.algorithm if pair.better == pair.baseline else pair.baseline] += 1
        assert {name: 1 + above for name, above in worse.items()} == rows["rank_low"].to_dict()
        assert (rows["tied_with_best"] <= (rows["rank_low"] == 1)).all()
        assert rows["tied_with_best"].any() or rows["low"].isna().any()
        assert ((rows["group_letters"] == "\N{EN DASH}") == (rows["verdict"] == "not compared")).all()
        said = surefoot.pairwise_differences(runs, **options).finding()
        assert ("comes first" in said) == ("tied" in set(rows["verdict"])), (said, rows["verdict"])
        alone = surefoot.aggregate_metrics(runs, metrics="iqm", n_resamples=100, skip_checks=True).finding()
        assert not re.search("best|tied|better|worse", alone)
