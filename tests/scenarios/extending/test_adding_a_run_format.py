"""The section on how to add a format of runs, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
from pathlib import Path

import surefoot
from surefoot.cli.commands import main
from surefoot.runs.logs import formats

formats.MODULES += ("scores_by_line",)
for algorithm in ("ppo", "a2c"):
    for seed in (1, 2):
        path = Path("runs") / algorithm / "Ant" / f"{seed}.scores"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{seed}\\n{10 * seed}\\n")
print(main(["read", "runs", "--format", "score_by_line"]))
table = surefoot.read_runs("runs", pattern="{algorithm}/{environment}/{seed}")
print(table[["algorithm", "run", "step", "score"]].values.tolist()[:2], table.attrs["format"])
main(["read", "runs", "--pattern", "{algorithm}/{environment}/{seed}", "-o", "scores.csv"])
"""


def test_a_format_of_runs_is_one_module(tmp_path):
    assert follow("A format of logs", tmp_path) == ["src/surefoot/runs/logs/formats/scores_by_line.py"]
    refused, found, *lines = run(tmp_path, PROGRAM).splitlines()
    assert refused == "2"
    assert found == "[['a2c', 1, 1000, 1.0], ['a2c', 1, 2000, 10.0]] scores_by_line"
    assert lines[0] == "format scores_by_line, kind eval" and lines[-1] == "scores.csv"
