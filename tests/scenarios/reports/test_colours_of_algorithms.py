"""An algorithm is drawn in one colour in all charts of a report, also in those that show a part of the algorithms."""

import re

import numpy as np
import pandas as pd
import pytest
from support.one_study import make, planned, write_runs

pytestmark = pytest.mark.usefixtures("own_folder")

NAMES = ("alpha", "beta", "gamma", "PPO", "zeta")
MARK = re.compile(rf'<path aria-label="({"|".join(NAMES)})\b[^"]*"[^>]*? fill="(#\w{{6}})"')
CURVE = re.compile(r'<path[^>]*? stroke="(#\w{6})"[^>]*? stroke-dasharray=')


@pytest.mark.parametrize("states_protocol", [True, False])
def test_an_algorithm_has_one_colour_in_a_report(tmp_path, states_protocol):
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
            "some_means": small | {"kind": "aggregate_metrics", "metrics": ["mean"], "algorithms": ["gamma", "beta"]},
            "some_profiles": small | {"kind": "performance_profiles", "algorithms": ["gamma", "zeta"]},
            "plan_runs": small | {"algorithms": ["zeta"], "datasets": 4, "sizes": [3, 5], "lifts": [10]},
        },
    }
    if states_protocol:
        study["protocol"] = {"logs": {name: {"metric": "score", "quantity": "score"} for name in NAMES}}
    made = make(planned(study), lambda job: job.stage != "render")
    pictures = {path.stem: path.read_text() for name, path in made.items() if name.endswith(".svg")}
    marks = {chart: set(MARK.findall(picture)) for chart, picture in pictures.items()}
    colours = dict(marks["aggregate_metrics"])
    assert set(colours) == {*NAMES} and len(set(colours.values())) == len(NAMES)
    for chart, names in {
        "multiple_comparisons": {*NAMES} - {"alpha"},
        "aggregate_metrics": {*NAMES},
        "some_means": {"gamma", "beta"},
    }.items():
        assert marks[chart] == {(name, colours[name]) for name in names}, chart
    for chart, names in {
        "performance_profiles": {*NAMES},
        "some_profiles": {"gamma", "zeta"},
        "how_many_runs_widths": {"zeta"},
    }.items():
        assert set(CURVE.findall(pictures[chart])) == {colours[name] for name in names}, chart
