"""What users of other tools write first is answered with the right form, and nothing is silently another question."""

import numpy as np
import pytest
from asking import function_of

import surefoot

RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(0.5, 0.1, (5, 3)) for name in ("sac", "ppo")}
CURVES = {name: RNG.normal(0.5, 0.1, (5, 3, 4)) for name in ("sac", "ppo")}


@pytest.mark.parametrize(
    ("question", "given", "hint"),
    [
        ("aggregates", {"metrics": "IQM"}, 'Hint: "iqm"'),
        ("aggregates", {"metrics": ["Optimality Gap"]}, 'Hint: "optimality_gap"'),
        ("aggregates", {"reps": 100}, "Hint: replicates="),
        ("improvement", {"n_bootstrap": 100}, "Hint: replicates="),
        ("aggregates", {"confidence_interval_size": 0.9}, "Hint: confidence="),
        ("improvement", {"pairs": ["sac", "ppo"]}, "is no pair"),
        ("profiles", {"thresholds": 50}, r"Hint: numpy\.linspace\(0, 1, 50\)"),
    ],
)
def test_the_hint_is_the_right_form(question, given, hint):
    with pytest.raises((ValueError, TypeError), match=hint):
        function_of(question)(SCORES, **given)


def test_curves_of_arrays_are_at_the_steps_that_are_named():
    found = surefoot.sample_efficiency(CURVES, steps=[0, 10_000, 20_000, 30_000], replicates=20).table()
    axis = "frames" if "frames" in found else "step"
    assert sorted(set(found[axis])) == [0, 10_000, 20_000, 30_000]
    assert sorted(set(surefoot.sample_efficiency(CURVES, replicates=20).table()[axis])) == [0, 1, 2, 3]
    for bad in ([0, 1], [3, 2, 1, 0], "abcd"):
        with pytest.raises(ValueError, match=r"Hint: 4 ascending numbers"):
            surefoot.sample_efficiency(CURVES, steps=bad)
    with pytest.raises(TypeError, match="no argument steps"):
        surefoot.aggregates(SCORES, steps=[1])
