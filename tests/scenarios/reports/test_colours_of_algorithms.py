"""An algorithm has one colour in all charts of a report, also in those that show a part of the algorithms."""

import json

import numpy as np
import pandas as pd
import pytest
from support.one_study import make, planned, write_runs

pytestmark = pytest.mark.usefixtures("own_folder")

NAMES = ("alpha", "beta", "gamma", "PPO", "zeta")


def coloured(node):
    """Yield the pairs (title, colour) of a chart, in scales and in rows of data."""
    if isinstance(node, list):
        for part in node:
            yield from coloured(part)
    elif isinstance(node, dict):
        domain, colours = node.get("domain"), node.get("range")
        if isinstance(domain, list) and isinstance(colours, list):
            yield from ((title, colour) for title, colour in zip(domain, colours, strict=False) if "#" in str(colour))
        if "colour" in node and "title" in node:
            yield node["title"].partition("\u2002")[0], node["colour"]
        for part in node.values():
            yield from coloured(part)


def test_an_algorithm_has_one_colour_in_a_report(tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        (name, task, run, place + rng.normal())
        for place, name in enumerate(NAMES)
        for task in ("maze", "pole")
        for run in range(5)
    ]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    small = {"n_resamples": 20}
    study = {
        "sources": {"runs": {"kind": "score_table", "file": str(write_runs(tmp_path / "runs.csv", runs))}},
        "questions": {
            "multiple_comparisons": {"baseline": "alpha"},
            "aggregate_metrics": small | {"metrics": ["iqm"]},
            "performance_profiles": small,
            "plan_runs": small | {"algorithms": ["zeta"], "datasets": 4, "sizes": [3, 5], "lifts": [10]},
        },
        "protocol": {"logs": {name: {"metric": "score", "quantity": "score"} for name in NAMES}},
    }
    made = make(planned(study), lambda job: job.stage != "render")
    charts = ("multiple_comparisons", "aggregate_metrics", "performance_profiles", "how_many_runs_widths")
    colours = {name: set() for name in NAMES}
    for chart in charts:
        found = [pair for pair in coloured(json.loads(made[f"{chart}.json"].read_text())) if pair[0] in NAMES]
        assert found, chart
        for name, colour in found:
            colours[name].add(colour)
    assert {len(found) for found in colours.values()} == {1}
    assert len(set.union(*colours.values())) == len(NAMES)
