"""The section on how to add a method of intervals, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
import pandas as pd
from support.one_study import described, draw, make, on_the_methods_page, planned

from surefoot.statistics.game import evaluation_game as game
from surefoot.statistics.game import score_limits
from surefoot.statistics.intervals.estimation import estimate
from surefoot.statistics.intervals.interval_catalogue import leading


def product(operator, x, out):  # known to compiled code alone, and nothing is compiled here
    (game._unbalanced if isinstance(operator, game._Flow) else score_limits._gain)(operator, x, out)


game.product = score_limits.product = product
assert "pbp_hoeffding" in described("questions", "evaluation_game_intervals")["properties"]["methods"]["items"]["enum"]
assert "pbp_hoeffding" in described("questions", "coverage")["properties"]["methods"]["items"]["enum"]
assert leading(["pbp", "pbp_hoeffding"]) == "pbp_hoeffding"

rows = [(a, "x", run, (7.0 * run) % 40 + 40 * (a == "b")) for a in "ab" for run in range(40)]
table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
table.to_csv("scores.csv", index=False)
asked = {"evaluation_game_scores": {}, "evaluation_game_intervals": {"methods": ["pbp_hoeffding"]}}
study = {"sources": {"runs": {"kind": "score_table", "file": "scores.csv", "check_axes": False}}, "questions": asked}
jobs = planned(study)
(job,) = (job for job in jobs if job.part == "pbp_hoeffding")
assert "surefoot.statistics.intervals.hoeffding" in job.modules and "n_resamples" not in job.settings
made = make(jobs, lambda job: job.stage in ("collect", "normalize", "aggregate", "estimate"))
stored = pd.read_csv(made["pbp_hoeffding"]).set_index("algorithm")
found = estimate(table.assign(cell=table["algorithm"]), "pbp_hoeffding").set_index("algorithm")
assert (found[["low", "high"]] == stored[["low", "high"]]).all(axis=None)
assert (found["low"] <= found["estimate"]).all() and (found["estimate"] <= found["high"]).all()
assert 0 < found.loc["a", "high"] < found.loc["b", "low"]
shown = draw(jobs, "table_ranks")
print(list(pd.read_csv(shown["table_ranks"]).columns))
assert on_the_methods_page("game", "pbp_hoeffding")["title"] == "PBP, Hoeffding"
"""


def test_a_method_of_intervals_is_a_module_and_an_entry(tmp_path):
    assert follow("An interval", tmp_path) == ["src/surefoot/statistics/intervals/hoeffding.py"]
    assert run(tmp_path, PROGRAM).strip() == "['algorithm', 'score', 'PBP, Hoeffding']"
