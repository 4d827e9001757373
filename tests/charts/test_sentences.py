"""What answers and pages say in sentences: it follows the numbers, and claims no more than the intervals show."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from support.one_study import make, planned
from support.stand_in_tables import stand_in_tables

import surefoot
from surefoot.charts.sentences import remarks_of, run_items, score_items, separated_pairs
from surefoot.statistics.resampling.interval_remarks import unlike_runs_remark


@pytest.mark.parametrize("names", ["ab", "abc"])
@pytest.mark.parametrize(
    "question", ["aggregate_metrics", "probability_of_improvement", "pairwise_differences", "multiple_comparisons"]
)
def test_of_algorithms_with_equal_runs_none_is_said_to_be_better(question, names):
    runs = np.random.default_rng(2).uniform(size=(5, 3))
    text = getattr(surefoot, question)(dict.fromkeys(names, runs)).finding()
    assert text and not re.search("better than|worse|any other|nan", text)


def test_a_remark_on_several_numbers_of_runs_is_made_once():
    few = [f"with {runs} runs per task, it was missed" for runs in (5, 3, 12)]
    rows = pd.DataFrame({"metric": [*["median"] * 3, "iqm"], "remark": [few[0], few[1], f"{few[2]}; another", None]})
    assert remarks_of(rows) == " Median: with 3 to 12 runs per task, it was missed. Median: another."


def test_unlike_numbers_of_runs_are_said_once():
    """Each pair has a remark with its own numbers."""
    pairs = [([[3, 8], [8, 3]], "7 to 8 %"), ([[12, 9], [9, 12]], "5 %"), ([[5, 5], [5, 5]], "")]
    found = [unlike_runs_remark(np.array(counts)) for counts, _ in pairs]
    assert all(often in remark for (_, often), remark in zip(pairs, found, strict=True)) and found[2] == ""
    said = remarks_of(pd.DataFrame({"metric": "iqm", "remark": found}))
    assert said == (
        " The algorithms have different numbers of runs per task (3 to 12)."
        " Equal algorithms then differed significantly in 7 to 8 % of simulated data sets."
    )
    larger = [remark.replace("7 to 8 %", "10 to 12 %") for remark in found]
    assert "in 10 to 12 % of" in remarks_of(pd.DataFrame({"metric": "iqm", "remark": larger}))


def intervals(*rows: tuple[str, float, float, float], method: str = "pbp") -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["algorithm", "estimate", "low", "high"])
    rank = table["estimate"].rank(method="min", ascending=False).astype(int)
    return table.assign(method=method, rank=rank, confidence_level=0.95, runs=30, n_resamples=np.nan)


def test_the_best_is_named_by_title_and_of_equal_scores_all():
    """Scores are rounded as tables round them: 0.5625 is a tie."""
    for rows, sentence in (
        (
            [("sarsa_parl2", 0.9, 0.8, 1.0), ("b", 0.2, 0.1, 0.3)],
            "Sarsa-Parl2 has the highest aggregate score, 0.900 (",
        ),
        ([("a", 0.5625, 0.4, 0.6), ("b", 0.5625, 0.4, 0.6)], "a and b share the highest aggregate score, 0.563 ("),
        (
            [("a", 0.5, 0.4, 0.6), ("b", 0.4, 0.3, 0.4), ("c", 0.3, 0.2, 0.39)],
            "a and b are tied for the best aggregate score; a has 0.500 (",
        ),
    ):
        assert score_items(intervals(*rows), titles={"sarsa_parl2": "Sarsa-Parl2"})[0]["text"].startswith(sentence)


def test_touching_intervals_are_not_separated():
    assert separated_pairs(intervals(("a", 0.5, 0.4, 0.6), ("b", 0.3, 0.2, 0.4))) == 0
    assert separated_pairs(intervals(("a", 0.5, 0.41, 0.6), ("b", 0.3, 0.2, 0.4), ("c", 0.1, 0.0, 0.1))) == 3


def test_runs_under_two_names_are_counted_once():
    tables = stand_in_tables(["sarsa", "sarsa_s"], ["x", "y"], 7)
    items = {row["item"]: row for row in run_items(tables["collect/runs"])}
    assert items["runs"]["text"] == "7 runs"
    assert items["runs_total"]["value"] == 14
    tables = stand_in_tables(["a", "b"], ["x", "y"], {("a", "x"): 1, ("a", "y"): 3, ("b", "x"): 1200, ("b", "y"): 2})
    items = {row["item"]: row["text"] for row in run_items(tables["collect/runs"])}
    assert (items["runs"], items["runs_total"]) == ("1 to 1,200 runs", "1,206 runs")


@pytest.mark.workflow
def test_a_further_comparison_says_its_finding_once(tmp_path, monkeypatch):
    """As the verdict with crashed runs treated otherwise, whose chart has a title that says the same."""
    monkeypatch.chdir(tmp_path)
    rows = [(name, run, 9.0 * level + run) for level, name in enumerate("abc") for run in range(4)]
    table = pd.DataFrame(rows, columns=["algorithm", "run", "score"]).assign(environment="maze")
    table.to_csv("scores.csv", index=False)
    study = {"sources": {"runs": {"kind": "score_table", "file": "scores.csv"}}, "scales": {"runs": {"kind": "none"}}}
    study["questions"] = {"multiple_comparisons": {}, "further": {"kind": "multiple_comparisons", "baseline": "a"}}
    made = make(planned(study), lambda job: job.stage != "render")
    finding = json.loads(made["further.json"].read_text())["usermeta"]["finding"]
    assert finding.startswith("On these tasks, compared with a by IQM, c and b are better. The 95 %")
    assert "than a" not in finding
