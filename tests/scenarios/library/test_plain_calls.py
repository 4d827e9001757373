"""Public functions take arrays, and tables with common names of columns, or say which argument they need."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.errors import HintedError
from surefoot.questions._framework.question_registry import questions

RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(mean, 0.1, (5, 3)).round(3) for name, mean in (("a", 0.9), ("b", 0.5))}
CURVES = {name: scores[:, :, None] + [0.0, 0.1, 0.2, 0.3] for name, scores in SCORES.items()}
SUCCESSES = {name: (scores > 0.7).astype(float) for name, scores in SCORES.items()}
LESS_WORK = {"datasets": 4, "n_resamples": 20, "rounds": 4}
OF_CURVES = ("align_curves", "score_curves", "selection_bias")
PUBLIC = {name: model for name, model in questions().items() if name in surefoot.__all__}


def table_of(arrays):
    """The same as a table with the names of columns that agents log."""
    rows = [
        {"agent": name, "env_id": f"task {task}", "seed": run, "return": value}
        for name, scores in arrays.items()
        for (run, task), value in np.ndenumerate(scores)
    ]
    return pd.DataFrame(rows)


def runs_for(name):
    model = PUBLIC.get(name)
    if name in OF_CURVES or (model and model.needs in ("curves", "evaluations")):
        return CURVES
    return SUCCESSES if model and model.needs == "outcomes" else SCORES


def answered(name, runs):
    """Call a function with nothing but runs, and then with what its hint says, if it needs something."""
    function = getattr(surefoot, name)
    asked = {key: value for key, value in LESS_WORK.items() if name in PUBLIC and key in _arguments(name)}
    for _ in range(3):
        try:
            return function(runs, **asked)
        except (TypeError, HintedError) as error:
            hint = str(error).split("Hint: ")[1].removeprefix("set ")
            if not re.match(r"\w+=", hint):
                raise
            asked = eval(f"dict({hint})") | asked
    raise AssertionError(f"the hints of {name} do not lead to an answer")


def _arguments(name):
    model = PUBLIC[name]
    return model.function.__kwdefaults__ or {}


NEED_MORE = {
    "effective_dimension": "arrays have no columns of hyperparameters",
    "hyperparameter_selection": "arrays have no columns of hyperparameters",
    "hyperparameter_sensitivity": "arrays have no columns of hyperparameters",
    "success_rates": "no run has more than one trial",
}


@pytest.mark.parametrize("name", [*PUBLIC, *OF_CURVES, "summarize_runs", "protocol_card", "normalize_scores"])
def test_arrays_are_answered_or_a_hint_is(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name in NEED_MORE:
            with pytest.raises(ValueError, match=f"{NEED_MORE[name]}.*Hint: "):
                answered(name, runs_for(name))
        else:
            assert answered(name, runs_for(name)) is not None


@pytest.mark.parametrize(
    "name", ["aggregate_metrics", "task_means", "normalize_scores", "summarize_runs", "rank_probabilities"]
)
def test_tables_with_other_names_are_taken(name):
    usual = table_of(SCORES).set_axis(["algorithm", "environment", "run", "score"], axis="columns")
    found, wanted = (getattr(surefoot, name)(table) for table in (table_of(SCORES), usual))
    found, wanted = (one if isinstance(one, pd.DataFrame) else one.table() for one in (found, wanted))
    pd.testing.assert_frame_equal(found, wanted)


def test_the_thresholds_of_profiles_cover_the_scores():
    table = surefoot.performance_profiles(SCORES, n_resamples=20).table()
    scores = np.concatenate([one.ravel() for one in SCORES.values()])
    assert table["threshold"].min() <= scores.min() and table["threshold"].max() >= scores.max()
    assert table.groupby("algorithm")["threshold"].nunique().eq(101).all()


def test_ranks_are_reversed_where_lower_is_better():
    high, low = (
        surefoot.rank_probabilities(SCORES, lower_is_better=lower)
        .table()
        .set_index(["environment", "algorithm", "rank"])
        for lower in (False, True)
    )
    assert high.loc[("", "a", 1), "estimate"] == low.loc[("", "b", 1), "estimate"] > 0.9
    finding = surefoot.aggregate_metrics(SCORES, n_resamples=20, lower_is_better=True).finding()
    assert finding.index(" for b") < finding.index(" for a")
