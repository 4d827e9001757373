"""The leaderboards: their record is what the published runs give, and their charts say what the record says."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
import vl_convert
from support.paths import ROOT

from surefoot.charts.leaderboards import BENCHMARKS, leaderboard, leaderboard_numbers, leaderboard_tasks
from surefoot.charts.multiple_comparison_charts import multiple_comparisons_finding
from surefoot.runs.published.published_source import catalogue
from surefoot.runs.result_tables import read_table
from surefoot.workflow.project import PUBLISHED, RECORDS

UPSTREAM = ROOT.parent / "shared" / "data" / "agarwal2021" / "upstream"
needs_runs = pytest.mark.skipif(not UPSTREAM.is_dir(), reason=f"the published runs are not here: {UPSTREAM}")
STANDINGS, TASKS = (read_table(RECORDS / "leaderboards" / f"{name}.csv") for name in ("standings", "tasks"))


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("leaderboards_record", ROOT / "benchmarks" / "leaderboards.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs_runs
@pytest.mark.parametrize("benchmark", ["dm_control_500k", "procgen"])
def test_the_record_is_what_the_published_runs_give(program, benchmark):
    scores = program.normalized_runs(benchmark, str(UPSTREAM))
    made = program.standings(scores)
    recorded = STANDINGS[STANDINGS["benchmark"] == benchmark].reset_index(drop=True)
    for column in ("algorithm", "group_letters", "rank_low", "rank_high", "tied_with_best", "runs", "tasks"):
        assert made[column].tolist() == recorded[column].tolist()
    for column in ("iqm", "low", "high"):
        np.testing.assert_allclose(made[column], recorded[column], rtol=1e-5)
    # By hand: the mean of the middle half of all scores, where all algorithms have equally many runs.
    for row in made[made["runs"] * made["tasks"] % 4 == 0].itertuples():
        values = np.sort(scores.loc[scores["algorithm"] == row.algorithm, "score"])
        assert row.iqm == pytest.approx(values[len(values) // 4 : -len(values) // 4].mean())


@needs_runs
def test_means_of_environments_are_those_of_the_published_runs(program):
    for benchmark in BENCHMARKS:
        means = program.normalized_runs(benchmark, str(UPSTREAM)).groupby(["environment", "algorithm"])["score"].mean()
        recorded = TASKS[TASKS["benchmark"] == benchmark].set_index(["environment", "algorithm"])["mean"]
        np.testing.assert_allclose(recorded, means.loc[recorded.index], rtol=1e-5, atol=1e-7)
        assert len(recorded) == len(means)


@needs_runs
def test_the_report_of_the_home_page_is_recorded(program):
    made = program.comparisons(program.normalized_runs(program.ON_THE_HOME_PAGE, str(UPSTREAM)))
    recorded = read_table(RECORDS / "leaderboards" / "comparisons.csv")
    assert made["algorithm"].tolist() == recorded["algorithm"].tolist()
    assert multiple_comparisons_finding(made) == multiple_comparisons_finding(recorded)
    for column in ("difference_to_best", "low", "high", "rank_low", "rank_high"):
        np.testing.assert_allclose(made[column].astype(float), recorded[column].astype(float), rtol=1e-5)


def test_the_record_has_sources_and_no_run_scores():
    assert set(STANDINGS["benchmark"]) == set(BENCHMARKS) == set(TASKS["benchmark"])
    for table in (STANDINGS, TASKS):
        assert "run" not in table and "score" not in table
    papers = pd.read_csv(PUBLISHED / "leaderboards.csv")
    assert len(papers) == len(STANDINGS) and STANDINGS["address"].str.startswith("https://").all()
    commits = {source.commit for sources in catalogue().values() for source in sources}
    assert all(any(commit in address for commit in commits) for address in STANDINGS["scores"])


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_tied_algorithms_share_a_letter_and_may_rank_first(benchmark):
    chart = leaderboard(STANDINGS, benchmark=benchmark)
    rows = leaderboard_numbers(STANDINGS, benchmark=benchmark)
    best = rows[rows["tied_with_best"]]
    assert rows["iqm"].is_monotonic_decreasing and (best["rank_low"] == 1).all()
    assert all(name in chart.to_dict()["usermeta"]["finding"] for name in best["algorithm"])
    # An interval of ranks holds the place of the estimate.
    places = np.arange(1, len(rows) + 1)
    assert ((rows["rank_low"] <= places) & (places <= rows["rank_high"])).all()
    picture = vl_convert.vegalite_to_svg(chart.to_dict())
    assert all(f">{row.algorithm}\u2002{row.group_letters}<" in picture for row in rows.itertuples())
    tasks = leaderboard_tasks(TASKS, benchmark=benchmark)
    assert len(tasks) == rows["tasks"].iloc[0] * len(rows)
    for _, of_task in tasks.groupby("environment"):
        assert "a" in of_task.loc[of_task["mean"].idxmax(), "group_letters"]
