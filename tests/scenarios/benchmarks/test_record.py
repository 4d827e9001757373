"""The record of a large run never loses a larger number of trials."""

from pathlib import Path

import pandas as pd
import pytest
import yaml
from record import current_results, keep_larger, keep_numbers, keep_rows, verdict_rows, with_recorded_rows
from support.jobs import run_job

from surefoot.cli.housekeeping import CHANGED
from surefoot.runs.result_tables import read_table
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan


def checked(**keys):
    return validate_configuration({"studies": {"mine": {"title": "Mine", **keys}}}, []).studies["mine"]


def test_a_record_of_more_draws_is_not_replaced_by_fewer(tmp_path, capsys):
    path = tmp_path / "mine_intervals.csv"

    def recorded(**columns):
        keep_larger(path, pd.DataFrame(columns), ["runs", "n_resamples"])
        return read_table(path)["value"].tolist()

    assert recorded(value=[0.1, 0.2], runs=[10, 10]) == [0.1, 0.2]
    assert recorded(value=[0.3, 0.4], runs=[10, 10]) == [0.3, 0.4]
    assert recorded(value=[0.5, 0.6], runs=[10, 9]) == [0.3, 0.4]
    assert recorded(value=[0.7], runs=[1000]) == [0.3, 0.4]
    assert "the record of 2 rows stays" in capsys.readouterr().out
    assert recorded(value=[0.8, 0.9], runs=[10, 10], n_resamples=[None, 50]) == [0.8, 0.9]


def test_a_claim_has_the_runs_of_the_pair_with_the_fewest(tmp_path):
    points = pd.DataFrame({"aggregate": "mean", "runs": pd.array([200, 30, None], dtype="Int64")})
    points.to_csv(tmp_path / "points.csv", index=False)
    verdicts = pd.DataFrame({"item": ["mean/cart_pole/sarsa", "claim/best/cart_pole/sarsa"], "undecided_by": ""})
    verdicts.assign(runs=[200.0, None]).to_csv(tmp_path / "run.csv", index=False)
    results = {"compare/run": tmp_path / "run.csv", "aggregate/evaluation_game_scores": tmp_path / "points.csv"}
    runs = {"kind": "trials", "algorithms": ["sarsa", "q"], "environments": ["cart_pole"], "trials": 30}
    assert verdict_rows(checked(sources={"runs": runs}), results)["trials"].tolist() == [200, 30]


def test_a_run_of_one_environment_replaces_its_means_only():
    recorded = pd.DataFrame(
        {
            "item": ["mean/acrobot/q", "mean/cart_pole/q", "game_score/q", "claim/best/cart_pole/q"],
            "ours": [1.0, 2.0, 0.5, 1.0],
            "trials": [1000, 200, 200, 200],
            "configuration": "old",
        }
    )
    run = pd.DataFrame(
        {
            "item": ["mean/cart_pole/q", "mean/acrobot/q", "claim/best/cart_pole/q"],
            "ours": [2.1, 1.1, 0.0],
            "trials": [600, 600, 600],
            "configuration": "new",
        }
    )
    run.loc[len(run)] = ["claim/new", 1.0, 600, "new"]  # which the record lacks
    rows = with_recorded_rows(run, recorded)
    assert rows["item"].tolist() == [*recorded["item"], "claim/new"]
    assert rows["ours"].tolist() == [1.0, 2.1, 0.5, 1.0, 1.0]
    assert rows["configuration"].tolist() == ["old", "new", "old", "old", "new"]


def test_a_run_of_all_environments_replaces_the_record():
    recorded = pd.DataFrame({"item": ["mean/acrobot/q"], "trials": [10], "configuration": "old"})
    run = pd.DataFrame({"item": ["mean/acrobot/q", "game_score/q"], "trials": [20, 20], "configuration": "new"})
    pd.testing.assert_frame_equal(with_recorded_rows(run, recorded), run)


RECORDS = Path("records")
ODD_NAMES = ("NA", "nan", "007", "1e5", "True")


@pytest.fixture
def workflow(tmp_path, own_folder):
    """A function that runs the jobs of a score table of odd names, but for those that show results; it returns the
    checked configuration and the jobs."""
    (tmp_path / "records").mkdir()
    pairs = [(place, name, task) for place, name in enumerate(ODD_NAMES) for task in ("NA", "12")]
    rows = [(name, task, run, (3 * place + 5 * run + len(task)) % 7) for place, name, task in pairs for run in (1, 2)]
    pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).to_csv("scores.csv", index=False)

    def made(questions, **keys):
        runs = {"kind": "score_table", "file": "scores.csv", "check_axes": False}
        study = {"title": "Mine", "sources": {"runs": runs}, "questions": questions} | keys
        config = validate_configuration({"studies": {"mine": study}}, [])
        jobs = [job for job in plan(config) if job.stage not in ("draw", "render")]
        for job in jobs:
            run_job(job)
        return config.studies["mine"], jobs

    return made


def game(methods):
    return {"evaluation_game_scores": {}, "evaluation_game_intervals": {"methods": methods}}


def test_numbers_of_odd_names_keep_their_spelling_to_the_record(workflow):
    study, jobs = workflow({"probability_of_improvement": {}, "rank_probabilities": {}}, n_resamples=5)
    keep_numbers("mine", study, jobs, current_results("mine", jobs), RECORDS)
    improvement, ranks = (
        read_table(Path(f"records/mine/{name}.csv")) for name in ("probability_of_improvement", "rank_probabilities")
    )
    assert {*improvement["algorithm"], *improvement["baseline"]} == set(ODD_NAMES)
    assert set(ranks["algorithm"]) == set(ODD_NAMES)
    index = read_table(Path("records/mine/record.csv")).set_index("analysis")
    assert (
        index.index.tolist() == ["probability_of_improvement", "rank_probabilities"]
        and index["made"].str.endswith(" UTC").all()
    )


def test_only_what_the_planned_jobs_made_is_recorded(workflow, capsys):
    """Results of another configuration may still be there, and what anyone put beside them."""
    _, jobs = workflow(game(["pbp", "pbp_t"]), confidence_level=0.9)
    study, jobs = workflow(game(["pbp"]), confidence_level=0.95)
    others = [job for job in jobs if job.stage == "estimate"]
    Path("results/estimate/mine/odd.csv").write_text("method,aggregate,algorithm\nodd,game_score,NA\n")
    keep_rows("mine", study, current_results("mine", jobs), RECORDS)
    rows = read_table(Path("records/mine_intervals.csv"))
    assert set(rows["method"]) == {"pbp"} and rows["algorithm"].tolist() == list(ODD_NAMES)
    named = yaml.safe_load(Path("records/mine.yaml").read_text())
    assert set(rows["configuration"]) == set(named) and [one["confidence_level"] for one in named.values()] == [0.95]
    first = Path("records/mine_intervals.csv").read_bytes()
    keep_rows("mine", study, current_results("mine", jobs), RECORDS)  # the record is read, joined and written again
    assert Path("records/mine_intervals.csv").read_bytes() == first
    assert "not recorded" not in capsys.readouterr().out

    (job,) = others
    path = Path("results/estimate/mine/pbp.csv")
    whole = path.read_text()
    path.write_text(whole.replace("pbp", "pbq"))
    assert "estimate/pbp" not in current_results("mine", jobs)
    assert f"{path}: {CHANGED}, so it is not recorded. Hint: " in capsys.readouterr().out
    path.write_text(whole)
    changed = job._replace(settings=job.settings | {"confidence_level": 0.5})
    assert current_results("mine", [changed]) == {}
    printed = capsys.readouterr().out
    assert f"{path}: no entry in the store: made with other settings" in printed and "so it is not recorded" in printed
    assert set(current_results("mine", [job])) == {"estimate/pbp"}
    runs = Path(job.inputs["runs"])
    read_table(runs).assign(score=0.0).to_parquet(runs)
    assert current_results("mine", [job]) == {}
    assert f"{path}: no entry in the store" in capsys.readouterr().out
