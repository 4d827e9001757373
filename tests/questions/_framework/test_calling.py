"""Each question is a public function: the same answer as in a study, arguments made of its settings."""

import numpy as np
import pandas as pd
import pytest
import threadpoolctl
from support.asked_questions import ASKED, MEANS, TIMES, asked, runs_of
from support.study_answers import accepted, ask, function_of
from support.two_algorithms import ARRAYS

import surefoot
from surefoot.errors import HintedError
from surefoot.questions._framework.question_registry import questions

TIMES_IN_A_STUDY = pd.DataFrame(
    [(name, place, 0, time) for name, times in TIMES.items() for place, time in enumerate(times)],
    columns=["algorithm", "environment", "run", "score"],
)
SHARED = {"seed": 7, "confidence_level": 0.9, "n_resamples": 40, "threads": 2}


@pytest.mark.parametrize("question", questions())
def test_a_function_gives_what_a_study_gives(question):
    """To the last bit, for the same settings; a question that is new needs its settings above."""
    needs, own, options = questions()[question].needs, runs_of(question), asked(question)
    of_study = TIMES_IN_A_STUDY if needs == "times" else own.assign(cell=own["algorithm"]) if needs == "runs" else own
    found = function_of(question)(own, **options, **accepted(question, SHARED)).table()
    assert len(found)
    pd.testing.assert_frame_equal(found, ask(question, {"runs": of_study}, options | SHARED), check_exact=True)


@pytest.mark.parametrize("question", [name for name, model in questions().items() if model.sets == "several"])
def test_the_same_of_several_sets(question):
    own = runs_of(question)
    found = function_of(question)({"one": own, "other": own}, **ASKED[question], **accepted(question, SHARED)).table()
    wanted = ask(question, {"one": own, "other": own}, ASKED[question] | SHARED)
    pd.testing.assert_frame_equal(found, wanted, check_exact=True)


@pytest.mark.parametrize("question", sorted(set(questions()) & set(surefoot.__all__)))
def test_every_question_refuses_complex_and_masked_scores(question):
    given, needs = runs_of(question), questions()[question].needs
    options = ASKED[question] | accepted(question, SHARED)
    if needs == "times":
        values, refused = np.array(given["ours"]), {}
        refused["complex"] = {"ours": values + 1j, "base": values}
    else:
        values = given["score"].to_numpy()
        refused = {"complex|1j": given.assign(score=values + 1j)}
        refused[r"1e\+300"] = given.assign(score=np.where(values == values.max(), 1e300, values))
    if needs in ("times", "scores"):
        refused["masked"] = {"ours": np.ma.masked_greater(values, np.nanmedian(values)), "base": values}
    for message, runs in refused.items():
        with pytest.raises(HintedError, match=message):
            function_of(question)(runs, **options)


@pytest.mark.parametrize(
    ("question", "given", "message"),
    [
        (
            "aggregate_metrics",
            {"n_resamples": 0},
            r"aggregate_metrics: n_resamples: 0 is not allowed\. Hint: it must be greater than or equal to 2$",
        ),
        ("aggregate_metrics", {"n_resamples": True}, r"n_resamples: True is not allowed\. Hint: .*a whole number"),
        (
            "aggregate_metrics",
            {"shared_runs": "yes"},
            r"'yes' is not allowed\. Hint: it must be 'auto', True or False$",
        ),
        (
            "pairwise_differences",
            {"metrics": lambda x: x},
            r"metrics: <function <lambda> at .*> is not allowed\. Hint: .* surefoot\.aggregate_metrics also takes fun",
        ),
        (
            "aggregate_metrics",
            {"metrics": lambda x: x},
            r"metrics: <lambda> returned array.*not a finite number\. Hint: use a f",
        ),
        (
            "aggregate_metrics",
            {"metrics": [np.max, np.max]},
            r'two metrics have the name "max"\. Hint: pass functions by n',
        ),
        ("aggregate_metrics", {"metrics": []}, r"metrics: \[\] is not allowed\. Hint: "),
        ("aggregate_metrics", {"metrics": "iqmm"}, r'metric: "iqmm" is not known\. Hint: use one of mean'),
        ("aggregate_metrics", {"metrics": ["Optimality Gap"]}, 'Hint: did you mean "optimality_gap"'),
        ("aggregate_metrics", {"algorithms": "our"}, r'no scores for "our"\. Hint: did you mean "ours"'),
        ("aggregate_metrics", {"reps": 100}, "Hint: n_resamples="),
        (
            "pairwise_differences",
            {"pairs": [["a", "b"]]},
            "unknown argument .pairs.. Hint: algorithms= compares all pairs",
        ),
        ("aggregate_metrics", {"confidence_interval_size": 0.9}, "Hint: confidence_level="),
        ("steps_to_threshold", {}, r"surefoot\.steps_to_threshold: threshold is missing\. Hint: threshold=475$"),
        (
            "performance_profiles",
            {"treshold": [1.0]},
            r'performance_profiles: unknown argument "treshold"\. Hint: did you mean "thresholds"\?',
        ),
        (
            "performance_profiles",
            {"thresholds": [1.0], "scores": ["runs"]},
            r'performance_profiles: unknown argument "scores"\. Hint: ',
        ),
        ("performance_profiles", {"thresholds": 50}, r"Hint: use numpy\.linspace\(0, 1, 50\)"),
        ("performance_profiles", {"thresholds": 0.5}, r"Hint: use \[0\.5\] for a single threshold"),
        ("performance_profiles", {"thresholds": [0.0, "x"]}, r"thresholds\.1: 'x' is not allowed\. Hint: .*a number"),
        ("performance_profiles", {"thresholds": [2.0, 1.0]}, r"thresholds must be ascending numbers\. Hint: "),
        (
            "performance_profiles",
            {"thresholds": {"from": 0, "to": 1}},
            r'thresholds: key "count" is missing\. Hint: Number of',
        ),
        (
            "performance_profiles",
            {"thresholds": {"from": 2, "to": 1, "count": 9}},
            r"the grid from 2 to 1 is empty\. Hint: from",
        ),
        ("probability_of_improvement", {"pairs": ["sac", "ppo"]}, r"is not a pair\. Hint: "),
        ("probability_of_improvement", {"algorithms": ["ours"]}, r"but got only ours\. Hint: add another"),
        ("histograms", {"bins": 3}, r"histograms takes one algorithm, but got 2\. Hint: set algorithms=\['ours'\]"),
    ],
)
def test_a_bad_argument_is_one_sentence_and_a_hint(question, given, message):
    """Also what users of other tools write first."""
    with pytest.raises((ValueError, TypeError), match=message) as refused:
        function_of(question)(ARRAYS, **given)
    assert "Hint: " in str(refused.value) and "\n" not in str(refused.value)


def test_arguments_without_a_name_are_refused():
    with pytest.raises(
        TypeError,
        match=r"surefoot\.aggregate_metrics: only the runs .*\. Hint: .*\(runs, metrics=\.\.\., algorithms=\.\.\.\)$",
    ):
        surefoot.aggregate_metrics(ARRAYS, ["iqm"], ["ours"])


def test_one_text_or_number_may_stand_for_a_list():
    listed = surefoot.aggregate_metrics(ARRAYS, metrics=["iqm"], methods=["basic"], algorithms=["ours"], n_resamples=20)
    single = surefoot.aggregate_metrics(
        ARRAYS, metrics="iqm", methods="basic", algorithms="ours", n_resamples=np.int64(20)
    )
    pd.testing.assert_frame_equal(single.table(), listed.table())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda means: [1.0], "means: a list is not a table. Hint: "),
        (lambda means: means.drop(columns="deviation"), "means: column deviation is missing"),
        (lambda means: means.assign(deviation=-1.0), "ours in task 0 has a negative deviation. Hint: "),
        (lambda means: means.assign(runs=1), "ours in task 0 has fewer than two runs. Hint: "),
        (lambda means: means.assign(score=np.nan), "ours in task 0 has a number that is not finite. Hint: "),
        (
            lambda means: pd.concat([means, means[:1]]),
            "ours in task 0 has a second row. Hint: write one row per algorithm",
        ),
        (lambda means: means[1:], r"means: cells without a run \(1\): ours / task 0. Hint: "),
    ],
)
def test_published_means_with_mistakes_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        function_of("published_intervals")(change(MEANS))


def test_a_column_cluster_names_clusters_or_is_an_error():
    """Also of items whose names have slashes; without use_clusters=True the column would have no effect."""
    rows = [("a", f"q/{item}", 1, item % 2, f"text {item % 12}") for item in range(60)]
    answers = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score", "cluster"])
    found = surefoot.evaluation_scores(answers, use_clusters=True).table()
    assert found[["items", "clusters"]].to_numpy().tolist() == [[60, 12]]
    with pytest.raises(HintedError, match='the column "cluster" has no effect'):
        surefoot.evaluation_scores(answers)


NAMED = {name: np.random.default_rng(3).random((5, 3)) for name in ("ppo", "sac", "td3")}


@pytest.mark.parametrize("question", ["aggregate_metrics", "sample_efficiency"])
def test_missing_runs_have_an_example(question):
    with pytest.raises(TypeError, match=rf"surefoot\.{question}: runs is missing\. Hint: ") as caught:
        getattr(surefoot, question)()
    example = eval(str(caught.value).split("Hint: ")[1].split(", with scores")[0], {"numpy": np})
    assert len(getattr(surefoot, question)(example).table())


def test_examples_name_the_algorithms_of_the_runs():
    with pytest.raises(TypeError, match=r'algorithms is missing\. Hint: algorithms=\["ppo", "sac"\]$'):
        surefoot.sequential_comparison(NAMED)
    with pytest.raises(HintedError, match=r'is not a pair\. Hint: use a list of two names, such as \["ppo", "sac"\]$'):
        surefoot.sequential_comparison(NAMED, algorithms="ppo")
    with pytest.raises(
        HintedError, match=r'is not a pair\. Hint: use a list of pairs, such as pairs=\[\["ppo", "sac"\]\]$'
    ):
        surefoot.probability_of_improvement(NAMED, pairs=["ppo", "sac"])
    assert len(surefoot.probability_of_improvement(NAMED, pairs=[["ppo", "sac"]]).table())


def test_numbers_of_runs_have_another_name_than_the_runs():
    with pytest.raises(TypeError, match=r"plan_runs: runs is passed twice\. Hint: sizes=$"):
        surefoot.plan_runs(NAMED, runs=[5, 10])


def test_hints_in_python_are_not_yaml():
    single = {name: scores[:1] for name, scores in NAMED.items()}
    with pytest.raises(HintedError, match='resample="tasks_and_runs", or multiple_comparisons with tasks="random"'):
        surefoot.aggregate_metrics(single)
    many = {name: np.random.default_rng(3).random((30, 3)) for name in ("a", "b")}
    with pytest.raises(HintedError, match="one look per group, such as looks=6"):
        surefoot.group_sequential(many)
    assert len(surefoot.group_sequential(many, looks=6).table())


def test_help_has_no_links_to_pages():
    linked = [model.function for model in questions().values() if "](#sec-" in (model.function.__doc__ or "")]
    assert linked
    for function in linked:
        assert "](" not in function_of(function.__name__).__doc__


def test_linear_algebra_uses_one_thread():
    """Asked by a metric, after a call in which several threads were allowed."""

    def threads(scores):
        libraries = [library for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"]
        return max(library["num_threads"] for library in libraries)

    with threadpoolctl.threadpool_limits(limits=2, user_api="blas"):
        assert threads(None) == 2
        found = surefoot.aggregate_metrics(ARRAYS, metrics=threads, n_resamples=2)
        assert threads(None) == 2
    assert set(found.table()["estimate"]) == {1.0}
