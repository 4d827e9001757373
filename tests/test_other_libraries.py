"""Names of rliable, marl-eval and scipy are answered with what to call."""

import copy
import re

import numpy as np
import pytest

import surefoot
from surefoot.other_libraries import call_for

NAMES = (
    *(
        "get_interval_estimates",
        "aggregate_iqm",
        "iqm",
        "aggregate_median",
        "aggregate_optimality_gap",
        "StratifiedBootstrap",
    ),
    *("create_performance_profile", "plot_interval_estimates", "plot_performance_profiles", "tukey_hsd", "dunnett"),
    *("mannwhitneyu", "prob_improvement", "create_matrices_for_rliable", "plot_sample_efficiency_curve"),
    *("rly", "plot", "tabulate", "latex_table", "min_max_normalize", "environment_sample_efficiency_curves"),
)
RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(mean, 0.1, (5, 4)) for name, mean in (("a", 0.9), ("b", 0.5))}
CURVES = {name: scores[:, :, None] * [0.5, 1.0] for name, scores in SCORES.items()}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_to_be_called_works(name):
    with pytest.raises(AttributeError, match=rf"surefoot has no {name}\. Hint: surefoot\.") as caught:
        getattr(surefoot, name)
    call = re.search(r"Hint: (surefoot\..*?)(, with scores|$)", str(caught.value))[1]
    known = {"surefoot": surefoot, "scores": SCORES, "curves": CURVES, "x": SCORES["a"], "y": SCORES["b"]}
    assert eval(call, known) is not None


def test_an_import_says_what_to_call_too():
    with pytest.raises(ImportError, match=r"Hint: surefoot\.aggregate_metrics\(scores\)"):
        exec("from surefoot import get_interval_estimates")
    assert call_for("aggregate_metrics") is None
    exec("from surefoot import cli")
    with pytest.raises(AttributeError, match=r"Hint: did you mean surefoot\.aggregate_metrics\?"):
        surefoot.agregate_metrics  # noqa: B018


OTHER_NAMES = {
    "aggregate_metrics": ("reps", "func", "metric", "confidence_interval_size", "rng", "method", "direction", "gamma"),
    "multiple_comparisons": ("control", "alpha", "metrics", "n_jobs"),
    "performance_profiles": ("tau_list", "taus", "lower_is_better", "use_score_distribution"),
    "curve_differences": ("metrics", "random_state"),
    "probability_of_improvement": ("compare", "methods", "algorithms_to_compare"),
    "sample_efficiency": ("frames", "metric", "aggregate_func"),
}


@pytest.mark.parametrize(("question", "name"), [(one, name) for one, names in OTHER_NAMES.items() for name in names])
def test_other_names_of_arguments_are_answered(question, name):
    with pytest.raises(TypeError, match=rf'unknown argument "{name}"\. Hint: ') as caught:
        getattr(surefoot, question)(SCORES, **{name: 1})
    hint = str(caught.value).split("Hint: ")[1]
    meant = re.match(r"(\w+)=", hint)
    assert hint.startswith("surefoot.normalize_scores(") or meant[1] in str(
        __import__("inspect").signature(getattr(surefoot, question))
    )


def test_two_arrays_become_a_dict():
    with pytest.raises(TypeError) as caught:
        surefoot.probability_of_improvement(SCORES["a"], SCORES["b"])
    call = re.search(r'(surefoot\.\S+\(\{"a": x, "b": y\}\))', str(caught.value))[1]
    assert len(eval(call, {"surefoot": surefoot, "x": SCORES["a"], "y": SCORES["b"]}).table()) > 0


def test_pairs_of_arrays_become_a_dict():
    pairs = {"a,b": (SCORES["a"], SCORES["b"])}
    with pytest.raises(ValueError, match=r'use one array for each algorithm, \{"a": scores_x, "b": scores_y\}'):
        surefoot.probability_of_improvement(pairs)


def test_a_correction_is_not_chosen():
    for question in (surefoot.multiple_comparisons, surefoot.pairwise_differences):
        with pytest.raises(TypeError, match="leave it out, since intervals and p-values are adjusted"):
            question(SCORES, correction="holm")


RESULT = surefoot.aggregate_metrics(SCORES, n_resamples=40)
ATTRIBUTES = (
    "plot",
    "to_latex",
    "to_csv",
    "head",
    "df",
    "to_dataframe",
    "estimate",
    "iloc",
    "tabel",
    "savefig",
    "xyzzy",
)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_other_attributes_of_results_are_answered(name):
    with pytest.raises(AttributeError, match=rf"a Result has no {name}\. Hint: ") as caught:
        getattr(RESULT, name)
    hint = str(caught.value).split("Hint: ")[1]
    call = re.search(r"(\w+\((?!\")\)[^ ?]*)", hint)[1].replace('.save("figure.pdf")', "")
    assert eval(f"result.{call}", {"result": RESULT}) is not None


def test_a_result_is_not_a_table():
    with pytest.raises(TypeError, match=r'Hint: table\(\)\["estimate"\]'):
        RESULT["estimate"]
    with pytest.raises(TypeError, match=r"Hint: table\(\) returns its table"):
        RESULT["iqm"]
    with pytest.raises(TypeError, match=r"Hint: table\(\) returns its table"):
        list(RESULT)
    assert not hasattr(RESULT, "_repr_png_") and copy.deepcopy(RESULT).table().equals(RESULT.table())
