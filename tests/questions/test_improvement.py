"""The probability of improvement, as it is asked of runs."""

import numpy as np

import surefoot


def test_whole_runs_stand_beside_runs_that_may_be_shared():
    """The interval that would be taken if the runs were declared to be shared."""
    draw = np.random.default_rng(3)
    scores = {name: draw.normal(size=(3, 5)) for name in "abc"}
    found, declared = (
        surefoot.probability_of_improvement(scores, shared_runs=shared).table() for shared in ("auto", True)
    )
    assert set(found["shared_runs"]) == {"cannot tell"}
    for end in ("low", "high"):
        assert found[f"{end}_whole_runs"].tolist() == declared[end].tolist() != found[end].tolist()
    assert (
        "By whole runs, the interval is " in surefoot.probability_of_improvement(scores, pairs=[("a", "b")]).finding()
    )
