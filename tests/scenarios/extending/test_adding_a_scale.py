"""The section on how to add a scale, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
from pathlib import Path

import pandas as pd
from support.one_study import described, draw, make, on_the_methods_page, planned, refused, told

from surefoot.errors import InputError
from surefoot.runs import scales

scales.MODULES += ("quantiles",)
from surefoot.runs.scales.quantiles import Quantiles
from surefoot.runs.scales.scaling import scaled

rows = [(a, "x", run, 10.0 * run + 5 * (a == "b")) for a in "ab" for run in range(5)]
table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
table.to_csv("scores.csv", index=False)
assert described("scales", "quantiles")["properties"]["upper"]["default"] == 0.95

sources = {"runs": {"kind": "score_table", "file": "scores.csv"}}
asked = {"aggregate_metrics": {"metrics": ["mean"], "methods": ["percentile"], "n_resamples": 10}, "plan_runs": {}}
study = {"sources": sources, "scales": {"mine": {"kind": "quantiles", "lower": 0, "upper": 1}}, "questions": asked}
jobs = planned(study)
made = make(jobs, lambda job: job.stage in ("collect", "normalize", "estimate"))
ours = pd.read_parquet(made["normalized"]).set_index("scores").loc["mine", "score"]
assert ours.tolist() == [score / 45 for _, _, _, score in rows]
assert scaled({"runs": table}, {"s": Quantiles(lower=0, upper=1)})["score"].tolist() == ours.tolist()
shown = draw(jobs, "table_methods")
assert set(pd.read_csv(shown["table_methods"])["estimate"].round(6)) == {round(20 / 45, 6), round(25 / 45, 6)}
print(told(jobs, "scale"))

assert on_the_methods_page("scale", "quantiles")["formula"] == "$(x - q_l) / (q_u - q_l)$"
print(refused(study | {"scales": {"mine": {"kind": "quantiles", "upper": 2}}}))
level = study | {"scales": {"mine": {"kind": "quantiles", "lower": 0.5, "upper": 0.5}}}
try:
    make(planned(level), lambda job: job.stage in ("collect", "normalize"))
except InputError as error:
    print(error)
"""


def test_a_scale_is_one_module(tmp_path):
    assert follow("A scale", tmp_path) == ["src/surefoot/runs/scales/quantiles.py"]
    phrase, too_large, level = run(tmp_path, PROGRAM).splitlines()
    assert phrase == "the scale between two quantiles of each environment"
    assert "scales.mine.upper: 2" in too_large and "Hint: it must be less than or equal to 1" in too_large
    assert "scales.mine: x: got a scale from 22.5 to 22.5" in level
