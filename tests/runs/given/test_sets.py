"""Scores as people have them, arrays and tables of many kinds and libraries: the same numbers from all of them,
mistakes in one sentence with a hint, and a remark where scores of several tasks have no common scale."""

import numpy as np
import pandas as pd
import pytest
from support.study_answers import function_of
from support.two_algorithms import ARRAYS, TABLE, tidy

import surefoot
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.shared_run_sentences import is_of_sharing


def test_a_table_and_arrays_give_the_same():
    from_table, from_arrays = (
        surefoot.aggregate_metrics(scores, n_resamples=500, seed=1) for scores in (TABLE, ARRAYS)
    )
    assert from_table.table()["estimate"].tolist() == pytest.approx(from_arrays.table()["estimate"].tolist())
    assert from_table.table().query("algorithm == 'ours'")["estimate"].to_numpy() == pytest.approx(
        metric_values(ARRAYS["ours"], ["median", "iqm", "mean", "optimality_gap"])
    )
    shuffled = surefoot.aggregate_metrics(TABLE.sample(frac=1, random_state=2), n_resamples=500, seed=1)
    table = from_table.table()
    pd.testing.assert_frame_equal(
        *(each.sort_values(["algorithm", "metric"], ignore_index=True) for each in (shuffled.table(), table))
    )
    assert (table["low"] < table["estimate"]).all() and (table["estimate"] < table["high"]).all()
    assert table["runs"].eq(10).all()
    assert all(remark == "" or is_of_sharing(remark) for remark in table.loc[table["metric"] == "iqm", "remark"])
    assert from_table.notes().empty


def test_a_single_task_and_unequal_runs_work():
    rng = np.random.default_rng(1)
    single = {"a": rng.normal(size=8), "b": list(rng.normal(size=6))}
    found = surefoot.aggregate_metrics(single, metrics="mean", n_resamples=200)
    assert found.table()["estimate"].tolist() == pytest.approx([np.mean(x) for x in single.values()])
    column = surefoot.aggregate_metrics({"a": single["a"][:, None]}, metrics="mean", n_resamples=200)
    pd.testing.assert_frame_equal(column.table(), found.table()[:1])
    unequal = {"a": [rng.normal(size=3), rng.normal(size=7)]}
    ragged = surefoot.aggregate_metrics(unequal, n_resamples=50)
    assert ragged.table()["runs"].tolist() == [3] * 4
    with pytest.raises(ValueError, match=r"tasks have 3 to 7 runs\. Hint: use bca_stratified"):
        surefoot.aggregate_metrics(unequal, methods="bca")


def test_names_that_are_numbers():
    arrays = dict(zip((1, 2), ARRAYS.values(), strict=True))
    table = tidy(arrays)
    for scores in (arrays, table):
        found = surefoot.aggregate_metrics(scores, metrics="iqm", n_resamples=50)
        assert found.table()["algorithm"].tolist() == ["1", "2"]
        improvement = surefoot.probability_of_improvement(scores, pairs=[(1, 2)], method="percentile", n_resamples=50)
        expected = surefoot.probability_of_improvement(scores, pairs=[("1", "2")], method="percentile", n_resamples=50)
        pd.testing.assert_frame_equal(improvement.table(), expected.table())
        assert set(surefoot.sequential_comparison(scores, algorithms=(1, 2), n_resamples=5).table()["algorithm"]) == {
            "1"
        }
    plans = surefoot.plan_runs(arrays, algorithms=1, metrics="iqm", sizes=3, lifts=10, datasets=2, n_resamples=20)
    assert plans.table()["algorithm"].unique().tolist() == ["1"]


def test_runs_are_ordered_by_the_numbers_in_their_names():
    """The run of each pair that wins is number 2 alone, which is the third round and not the last of twelve."""
    runs = [f"run{number}" for number in range(12)]
    rows = [(name, "t", run, float(name == "x" and run == "run2")) for name in "xy" for run in runs]
    table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).sample(frac=1, random_state=1)
    wins = surefoot.sequential_comparison(table, algorithms=["x", "y"], n_resamples=5).table()["win_rate"]
    assert wins.tolist() == [0.5, 0.5, 1.0, *[0.5] * 9]


def test_episodes_of_a_run_are_averaged():
    twice = pd.concat([TABLE.assign(episode=n, score=TABLE["score"] + n - 0.5) for n in (0, 1)])
    once, averaged = (surefoot.aggregate_metrics(table, n_resamples=9).table() for table in (TABLE, twice))
    assert averaged["estimate"].tolist() == pytest.approx(once["estimate"].tolist())


def test_episodes_passed_as_runs_are_refused_in_tables():
    rng = np.random.default_rng(2)
    table = tidy({"a": np.repeat(rng.normal(size=(4, 5)), 15, axis=0) + 0.1 * rng.normal(size=(60, 5))})
    curves = pd.concat([table.assign(step=step, score=table["score"] + step) for step in (1, 2)])
    for question, runs in ((surefoot.aggregate_metrics, table), (surefoot.sample_efficiency, curves)):
        with pytest.raises(ValueError, match="a: each of its 60 runs is more like the one before it than by chance"):
            question(runs)
        question(runs, n_resamples=10, skip_checks=True)


def without(name):
    return TABLE.drop(columns=name)


HUGE = [10**400, *TABLE["score"][1:]]
MASKED = np.ma.masked_greater(ARRAYS["ours"], 2.0)
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0], "a list. Hint: use a pandas table"),
        ({"a": np.ones((2, 3, 4))}, r"shape \(2, 3, 4\). Hint: use arrays of runs x tasks: surefoot.score_curves"),
        ({"a": np.array([["1", "x"]])}, "values of the type <U1"),
        ({"a": [[1.0], []]}, r"a has an array of shape \(1,\), \(0,\)"),
        ({"a": np.ones((26, 5)), "b": np.ones((26, 10))}, "a 5, b 10. Hint: .*arrays are runs x tasks"),
        ({"a": [[1.0, 2.0, 3.0], [np.nan, 1.0]]}, r"not finite numbers \(1\): a / 1 / run 0: nan"),
        (
            {"a": ARRAYS["ours"].tolist()},
            r"a list of 10 members of length 5, .* Hint: pass numpy\.array\(\.\.\.\) with the axes runs x",
        ),
        (
            {"a": np.array([[1.0, 2.0], [3.0]], object)},
            "a has runs of different lengths. Hint: .* a list with one",
        ),
        ({"a": np.array([1.0, "x"], object)}, "a has values of the type <U"),
        ({1: [1.0, 2.0], "1": [2.0, 3.0]}, 'two values of algorithm look the same: "1". Hint: '),
        (pd.concat([TABLE[:50], TABLE[50:].astype({"run": str})]), 'two values of run look the same: "0"'),
        ({"a": np.ones((1, 9))}, "one run of each of 9 tasks.*scores\\[:, None\\]"),
        (without("run"), r"column run is missing; there are .* Hint: .*table\.assign\(run=table\.groupby"),
        (
            pd.concat([TABLE.assign(step=step) for step in range(5)]),
            f"{5 * len(TABLE):,} rows of {len(TABLE):,} runs with a column step are learning curves. Hint: surefoot",
        ),
        (pd.concat([TABLE, TABLE[:1]]), "ours in task 0, run 0 occurs 2 times. Hint: .*column episode"),
        (TABLE.assign(score=["many", *TABLE["score"][1:]]), 'the score "many" is not a number'),
        (TABLE.assign(score=TABLE["score"].where(TABLE.index != 7)), "ours / task 2 / run 1: nan"),
        (TABLE.assign(run=TABLE["run"].where(TABLE.index != 7)), "data row 8 has no run"),
        (
            TABLE[(TABLE["algorithm"] != "base") | (TABLE["environment"] != "task 3")],
            r"cells without a run \(1\): base / task 3",
        ),
        (pd.concat([TABLE, TABLE[["score"]]], axis=1), 'two columns have the name "score"'),
        (TABLE.assign(score=pd.Series(HUGE, dtype=object)), "ours / task 0 / run 0: inf"),
        (
            TABLE.replace({"environment": {"task 0": "task\x1b[31m"}}),
            r"the environment 'task\\x1b\[31m' has a character",
        ),
        ({"\ud800": np.ones((3, 2))}, r"the algorithm '\\ud800' has a character that cannot"),
        ({COMPOSED: np.ones((3, 2)), DECOMPOSED: np.ones((3, 2))}, "two values of algorithm look the same"),
        ({"a": ARRAYS["ours"], "b": MASKED}, r"b: \d+ of 50 values are masked. Hint: leave out"),
        ({"a": [[1.0, 2.0], [1.0, 2j, 3.0]]}, "a has values of the type complex"),
        (TABLE.assign(score=TABLE["score"] > 0), 'the column "score" contains true and false instead of'),
        (TABLE.assign(score=TABLE["score"] + 1j), 'the column "score" contains complex numbers instead of'),
        ({"a": 1e308 * np.ones((3, 2))}, r"beyond ±1e\+150 .*a / 0 / run 0: 1e\+308.*Hint: divide all"),
    ],
)
def test_mistakes_are_one_sentence_and_a_hint(scores, message):
    with pytest.raises(ValueError, match=message) as refused:
        surefoot.aggregate_metrics(scores, n_resamples=10)
    assert str(refused.value).startswith(("scores: ", "surefoot.aggregate_metrics: ")) and "Hint: " in str(
        refused.value
    )
    assert "\n" not in str(refused.value)


def test_an_episode_without_a_score_is_not_averaged_away():
    twice = pd.concat([TABLE.assign(episode=n) for n in (0, 1)], ignore_index=True)
    for bad in (np.nan, np.inf):
        wrong = twice.assign(score=twice["score"].where(twice.index != 103, bad))
        with pytest.raises(ValueError, match=f"ours / task 3 / run 0: {bad}. Hint: drop"):
            surefoot.aggregate_metrics(wrong, n_resamples=9)


def returns(*typical: float, algorithms: tuple[str, ...] = ("sac", "ppo")) -> pd.DataFrame:
    """Five runs of each algorithm in each task, of this size."""
    rng = np.random.default_rng(2)
    rows = [
        (name, f"task{task}", run, size * rng.normal(1.0, 0.1))
        for name in algorithms
        for task, size in enumerate(typical)
        for run in range(5)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def test_raw_returns_carry_a_remark_in_the_print_and_the_finding():
    found = surefoot.aggregate_metrics(returns(4500, 3000), n_resamples=50)
    assert (
        "without normalization" in found.remark
        and "task0" in found.remark
        and "surefoot.normalize_scores" in found.remark
    )
    assert found.remark in " ".join(repr(found).split())
    assert surefoot.pairwise_differences(returns(4500, 3000)).finding().endswith(found.remark)


@pytest.mark.parametrize("question", ["probability_of_improvement", "rank_probabilities", "shared_run_test"])
def test_what_compares_within_a_task_carries_none(question):
    assert function_of(question)(returns(4500, 3000)).remark == ""


@pytest.mark.parametrize("typical", [(0.5, 0.9), (1.2, 30.0, 2.0), (60.0, 90.0), (4500.0,), (1040.0, 1050.0)])
def test_normalized_scores_and_single_tasks_have_no_remark(typical):
    assert surefoot.aggregate_metrics(returns(*typical), metrics="iqm", n_resamples=50).remark == ""


def test_typical_returns_keep_their_signs():
    table = pd.concat([returns(150), returns(500).assign(environment="task1", score=lambda rows: -rows["score"])])
    remark = surefoot.aggregate_metrics(table, metrics="iqm", n_resamples=50).remark
    medians = table.groupby("environment")["score"].median()
    assert f"from {medians['task1']:,.3g} (task1) to {medians['task0']:,.3g} (task0)" in remark


def test_returns_of_small_size_are_known_by_their_curves():
    curves = pd.concat([returns(12, 3).assign(step=step) for step in (1, 2)])
    scores = surefoot.score_curves(curves, "last")
    assert "without normalization" in surefoot.aggregate_metrics(scores, metrics="iqm", n_resamples=50).remark


def test_min_max_says_that_its_ends_are_of_these_runs():
    normalized = surefoot.normalize_scores(returns(4500, 3000), "min_max")
    assert "(min_max)" in surefoot.aggregate_metrics(normalized, metrics="iqm", n_resamples=50).remark
    of_references = surefoot.normalize_scores(
        returns(4500, 3000), "reference_scores", reference_scores={"task0": (0.0, 5000.0), "task1": (0.0, 1.0)}
    )
    assert surefoot.aggregate_metrics(of_references, metrics="iqm", n_resamples=50).remark == ""
    unchanged = surefoot.normalize_scores(returns(4500, 3000), "none")
    assert "without normalization" in surefoot.aggregate_metrics(unchanged, metrics="iqm", n_resamples=50).remark


def test_hints_for_missing_columns_can_be_followed():
    with pytest.raises(ValueError, match=r"rename\(columns=\{'who': 'algorithm'\}\)"):
        surefoot.task_means(TABLE.rename(columns={"algorithm": "who"}))
    assert len(
        surefoot.task_means(TABLE.rename(columns={"algorithm": "who"}).rename(columns={"who": "algorithm"})).table()
    )
    numbered = without("run").assign(run=without("run").groupby(["algorithm", "environment"]).cumcount())
    assert len(surefoot.task_means(numbered).table())
    with pytest.raises(ValueError, match=r"Hint: .*use \{'my algorithm': table.to_numpy\(\)\}"):
        surefoot.task_means(pd.DataFrame({"pong": [1.0, 2.0], "qbert": [2.0, 3.0]}))


def test_a_path_is_read_first():
    for function in (surefoot.aggregate_metrics, surefoot.report):
        with pytest.raises(ValueError, match=r'Hint: surefoot\.read_runs\("scores\.csv"\) reads a file or a folder'):
            function("scores.csv")


def test_times_of_runs_become_a_table_of_problems_x_methods():
    rows = TABLE.rename(columns={"algorithm": "agent", "environment": "env", "score": "return"})
    with pytest.raises(ValueError, match="got a table with one row per run") as caught:
        surefoot.time_profiles(rows)
    table = rows.assign(**{"return": rows["return"].abs() + 1})
    wide = eval(caught.value.hint.split("methods: ")[1], {"table": table})
    assert len(surefoot.time_profiles(wide).table())
