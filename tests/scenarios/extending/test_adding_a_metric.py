"""The section on how to add a metric, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
import numpy as np
import pandas as pd
from support.one_study import described, draw, make, on_the_methods_page, planned

import surefoot
from surefoot.workflow.fingerprint import reached_modules
from surefoot.statistics.resampling.stratified_bootstrap import metric_values

assert "capped_mean(cap)" in described("questions", "aggregate_metrics")["properties"]["metrics"]["description"]
scores = {"a": np.array([[0.1, 0.9], [0.5, 3.0]]), "b": np.array([[0.1, 0.2], [0.3, 0.4]])}
answer = surefoot.aggregate_metrics(scores, metrics=["capped_mean(0.5)", "mean"], methods="percentile", n_resamples=20)
found = answer.table().set_index(["metric", "algorithm"])["estimate"]
np.testing.assert_allclose(found["capped_mean(0.5)"][["a", "b"]], [(0.1 + 3 * 0.5) / 4, 0.25])
assert metric_values([np.array([0.0, 4.0]), np.array([0.5])], ["capped_mean"]).tolist() == [0.5]

rows = [(n, t, run, float(s[run, t])) for n, s in scores.items() for t in (0, 1) for run in (0, 1)]
pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).to_csv("scores.csv", index=False)
asked = {"metrics": ["capped_mean"], "methods": ["percentile"], "n_resamples": 20}
source = {"kind": "score_table", "file": "scores.csv", "check_axes": False}
study = {"sources": {"runs": source}, "scales": {"none": {}}}
jobs = planned(study | {"questions": {"aggregate_metrics": asked}})
made = make(jobs, lambda job: job.stage in ("collect", "normalize", "estimate"))
assert pd.read_csv(made["aggregate_metrics"]).set_index("algorithm")["estimate"].to_dict() == {"a": 0.625, "b": 0.25}
print(set(pd.read_csv(draw(jobs, "table_methods")["table_methods"])["metric_title"]))
print(on_the_methods_page("metric", "capped_mean")["title"])
print("surefoot.statistics.metrics.metric_catalogue" in reached_modules("surefoot.questions.aggregates"))
"""


def test_a_metric_is_an_entry(tmp_path):
    assert follow("A metric", tmp_path) == []
    titles, title, counts = run(tmp_path, PROGRAM).splitlines()
    assert titles == "{'Mean of capped scores'}"
    assert title == "Mean of capped scores"
    assert counts == "True"
