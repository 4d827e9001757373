"""The section on how to add a source, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
import json
from pathlib import Path

import pandas as pd
from support.one_study import described, draw, make, planned, refused

from surefoot.runs import sources

sources.MODULES += ("episode_log",)

rows = [(a, e, run, float(place + 2 * run)) for place, a in enumerate("ab") for e in "xy" for run in range(3)]
columns = ("algorithm", "environment", "run", "score")
episodes = [dict(zip(columns, (*row[:3], row[3] + error))) for row in rows for error in (-1, 1)]
Path("log.jsonl").write_text("\\n".join(map(json.dumps, episodes)))
assert "Lines with algorithm" in described("sources", "episode_log")["properties"]["file"]["description"]

study = {"sources": {"runs": {"kind": "episode_log", "file": "log.jsonl"}}}
assert "evaluation_game_scores" in {job.part for job in planned(study)}
settings = {"scores": ["as_given"], "metrics": ["mean"], "methods": ["percentile"], "n_resamples": 10}
means = {"aggregate_metrics": settings}
jobs = planned(study | {"scales": {"as_given": {}}, "questions": means})
(collecting,) = (job for job in jobs if job.stage == "collect")
assert collecting.inputs == {"file": "log.jsonl"} and "surefoot.runs.sources.read_episode_log" in collecting.modules
made = make(jobs, lambda job: job.stage in ("collect", "normalize", "estimate"))
runs = pd.read_parquet(made["runs"])
assert runs[list(columns)].to_numpy().tolist() == [list(row) for row in rows]
assert (runs["cell"] == runs["algorithm"]).all()
answer = pd.read_csv(made["aggregate_metrics"]).set_index("algorithm")["estimate"]
assert answer.to_dict() == {"a": 2.0, "b": 3.0}
shown = draw(jobs, "table_runs")
assert pd.read_csv(shown["table_runs"]).to_numpy().tolist() == [["x", 3, 3], ["y", 3, 3]]

print(refused({"sources": {"runs": {"kind": "episode_log", "fil": "log.jsonl"}}}))
"""


def test_a_source_is_two_modules(tmp_path):
    assert follow("A source", tmp_path) == [
        "src/surefoot/runs/sources/episode_log.py",
        "src/surefoot/runs/sources/read_episode_log.py",
    ]
    printed = run(tmp_path, PROGRAM)
    assert "sources.runs.fil: unknown key" in printed and 'did you mean "file"?' in printed
