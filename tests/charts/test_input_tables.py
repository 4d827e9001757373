"""Tables of drawings: answers about scores of which lower ones are better, in the units in which these were logged."""

import numpy as np

import surefoot
from surefoot.charts.input_tables import in_own_units


def test_losses_are_positive_on_page_and_in_latex():
    """All limits with their estimates: those that take whole runs, too."""
    draw = np.random.default_rng(0)
    losses = {name: draw.normal(level, 0.1, (5, 3)) for name, level in (("a", 1.0), ("b", 2.0), ("c", 3.0))}
    table = surefoot.aggregate_metrics({name: -scores for name, scores in losses.items()}, metrics=["iqm"]).table()
    found = in_own_units(table, "aggregate_metrics")
    for ending in ("", "_whole_runs"):
        assert (found[f"low{ending}"] > 0.0).all() and (found[f"low{ending}"] < found["estimate"]).all()
        assert (found["estimate"] < found[f"high{ending}"]).all()
