"""The record of a large run never loses a larger number of trials."""

import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

from surefoot.build.files import canonical_json
from surefoot.build.job import specification
from surefoot.build.runner import run_job
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.plan import plan
from surefoot.result_tables import read_table

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from record import current_results, distribution_rows, keep_numbers, keep_rows, verdict_rows


def checked(**keys):
    return validate_configuration({"studies": {"mine": {"title": "Mine", **keys}}}, []).studies["mine"]


def test_a_table_for_which_less_was_drawn_does_not_replace_one_for_which_more_was(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("record.RECORDS", tmp_path)
    given = {}
    monkeypatch.setattr("record.score_rows", lambda study, results: given["rows"])
    study = checked(
        sources={"runs": {"kind": "trials", "algorithms": ["q", "ac"], "environments": ["acrobot"], "trials": 2}}
    )

    def recorded(**columns):
        given["rows"] = pd.DataFrame(columns)
        keep_rows("mine", study, {})
        return read_table(tmp_path / "mine_intervals.csv")["value"].tolist()

    assert recorded(value=[0.1, 0.2], runs=[10, 10]) == [0.1, 0.2]
    assert recorded(value=[0.3, 0.4], runs=[10, 10]) == [0.3, 0.4]
    assert recorded(value=[0.5, 0.6], runs=[10, 9]) == [0.3, 0.4]
    assert recorded(value=[0.7], runs=[1000]) == [0.3, 0.4]
    assert "the record of 2 rows stays" in capsys.readouterr().out
    assert recorded(value=[0.8, 0.9], runs=[10, 10], replicates=[None, 50]) == [0.8, 0.9]


def test_plays_are_recorded_with_their_mdps_and_the_scores_of_the_corrected_agents(tmp_path):
    agents = pd.DataFrame(
        {
            "variant": ["", "as_published", "corrected"],
            "environment": "accurate/gc",
            "algorithm": ["random", "beb", "beb"],
            "parameters": [None, "beta=2.5", "beta=2.5"],
            "value": [31.0, 42.0, 41.0],
            "standard_error": [0.5, 0.9, 1.1],
            "runs": [500, 100, 50],
        }
    )
    items = ["mean/accurate/gc/random()", "mean/accurate/gc/beb(beta=2.5)", "library/accurate/gc/beb(beta=2.5)"]
    agents.to_csv(tmp_path / "agents.csv", index=False)
    verdicts = pd.DataFrame({"item": items, "limited_by": "", "runs": [500.0, 100.0, None]})
    verdicts.to_csv(tmp_path / "run.csv", index=False)
    plays = {
        "kind": "plays",
        "agents": [{"agent": "random"}, {"agent": "beb", "parameters": {"beta": [2.5]}}],
        "environments": ["accurate/gc"],
        "variants": ["as_published"],
        "mdps": 500,
    }
    results = {"compare/run": tmp_path / "run.csv", "aggregate/agents": tmp_path / "agents.csv"}
    rows = verdict_rows(checked(seed=7, sources={"runs": plays}), results)
    assert rows["trials"].tolist() == [500, 100, 100]
    assert rows["ours_standard_error"].tolist() == [0.5, 0.9, 0.9]
    assert rows["corrected"].fillna(0).tolist() == [0.0, 41.0, 41.0]  # Random has no variants
    assert rows["corrected_trials"].fillna(0).tolist() == [0, 50, 50]


def test_a_claim_has_the_runs_of_the_pair_with_the_fewest(tmp_path):
    points = pd.DataFrame({"aggregate": "mean", "runs": pd.array([200, 30, None], dtype="Int64")})
    points.to_csv(tmp_path / "points.csv", index=False)
    verdicts = pd.DataFrame({"item": ["mean/cart_pole/sarsa", "claim/best/cart_pole/sarsa"], "limited_by": ""})
    verdicts.assign(runs=[200.0, None]).to_csv(tmp_path / "run.csv", index=False)
    results = {"compare/run": tmp_path / "run.csv", "aggregate/game_scores": tmp_path / "points.csv"}
    runs = {"kind": "trials", "algorithms": ["sarsa", "q"], "environments": ["cart_pole"], "trials": 30}
    assert verdict_rows(checked(sources={"runs": runs}), results)["trials"].tolist() == [200, 30]


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Bands of three pairs, samples of one, and a table of points."""
    monkeypatch.chdir(tmp_path)
    for folder in ("estimate", "aggregate"):
        (tmp_path / f"results/{folder}/jordan2020").mkdir(parents=True)
    pairs = [("ac", "acrobot", 30), ("ac", "cart_pole", 40), ("ppo", "acrobot", 50)]
    columns = {"score": [1.0, 2.0], "probability": [0.5, 1.0], "low": 0.0, "high": 1.0}
    bands = [pd.DataFrame(columns).assign(method="dkw", algorithm=a, environment=e) for a, e, _ in pairs]
    pd.concat(bands).to_csv("results/estimate/jordan2020/dkw.csv", index=False)
    points = pd.DataFrame(pairs, columns=["algorithm", "environment", "runs"]).assign(aggregate="mean")
    points.to_csv("results/aggregate/jordan2020/game_scores.csv", index=False)
    samples = pd.DataFrame(columns).assign(algorithm="ac", environment="acrobot", size=10, confidence=0.95, runs=30)
    samples.to_csv("results/estimate/jordan2020/sample_distributions.csv", index=False)
    return files(tmp_path)


def files(folder):
    """The tables of a study's results by stage and name, as `current_results` finds those of its jobs."""
    found = (path for path in (folder / "results").rglob("*.*") if path.parent.name == "jordan2020")
    return {f"{path.parents[1].name}/{path.stem}": path for path in found}


def test_curves_of_the_published_points_are_recorded_with_the_trials_of_their_pair(results):
    rows = distribution_rows("jordan2020", results)
    found = rows.groupby(["method", "environment", "algorithm"])[["size", "runs"]].first().to_dict("index")
    assert found == {
        ("dkw", "acrobot", "ac"): {"size": 30, "runs": 30},
        ("dkw", "cart_pole", "ac"): {"size": 40, "runs": 40},
        ("subsamples", "acrobot", "ac"): {"size": 10, "runs": 30},
    }
    assert distribution_rows("example", results).empty
    assert distribution_rows("jordan2020", {}).empty


ODD_NAMES = ("NA", "nan", "007", "1e5", "True")


@pytest.fixture
def workflow(tmp_path, monkeypatch):
    """A function that runs the jobs of a score table of odd names, but for those that show results; it returns the
    checked configuration and the jobs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    monkeypatch.setattr("record.RECORDS", tmp_path / "records")
    (tmp_path / "records").mkdir()
    pairs = [(place, name, task) for place, name in enumerate(ODD_NAMES) for task in ("NA", "12")]
    rows = [(name, task, run, (3 * place + 5 * run + len(task)) % 7) for place, name, task in pairs for run in (1, 2)]
    pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).to_csv("scores.csv", index=False)

    def made(questions, **keys):
        runs = {"kind": "score_table", "file": "scores.csv", "axes": "as_given"}
        study = {"title": "Mine", "sources": {"runs": runs}, "questions": questions} | keys
        config = validate_configuration({"studies": {"mine": study}}, [])
        jobs = [job for job in plan(config) if job.stage not in ("draw", "render")]
        for job in jobs:
            spec = Path(job.spec)
            spec.parent.mkdir(parents=True, exist_ok=True)
            spec.write_text(canonical_json(specification(job)))
            run_job(spec)
        return config.studies["mine"], jobs

    return made


def game(methods):
    return {"game_scores": {}, "game_intervals": {"methods": methods}}


def test_numbers_of_odd_names_keep_their_spelling_to_the_record(workflow):
    study, jobs = workflow({"improvement": {}, "ranks": {}}, replicates=5)
    keep_numbers("mine", study, jobs, current_results("mine", jobs))
    improvement, ranks = (read_table(Path(f"records/mine/{name}.csv")) for name in ("improvement", "ranks"))
    assert {*improvement["x"], *improvement["y"]} == set(ODD_NAMES)
    assert set(ranks["algorithm"]) == set(ODD_NAMES)


def test_only_what_the_planned_jobs_made_is_recorded(workflow, capsys):
    """Results of another configuration may still be there, and what anyone put beside them."""
    _, jobs = workflow(game(["pbp", "pbp_t"]), confidence=0.9)
    study, jobs = workflow(game(["pbp"]), confidence=0.95)
    others = [job for job in jobs if job.stage == "estimate"]
    Path("results/estimate/mine/odd.csv").write_text("method,aggregate,algorithm\nodd,game_score,NA\n")
    keep_rows("mine", study, current_results("mine", jobs))
    rows = read_table(Path("records/mine_intervals.csv"))
    assert set(rows["method"]) == {"pbp"} and rows["algorithm"].tolist() == list(ODD_NAMES)
    named = yaml.safe_load(Path("records/mine.yaml").read_text())
    assert set(rows["configuration"]) == set(named) and [one["confidence"] for one in named.values()] == [0.95]
    first = Path("records/mine_intervals.csv").read_bytes()
    keep_rows("mine", study, current_results("mine", jobs))  # the record is read, joined and written again
    assert Path("records/mine_intervals.csv").read_bytes() == first
    assert "not recorded" not in capsys.readouterr().out

    (job,) = others
    path, manifest = Path("results/estimate/mine/pbp.csv"), Path(job.manifest)
    whole, said = path.read_text(), manifest.read_text()
    path.write_text(whole.replace("pbp", "pbq"))
    assert "estimate/pbp" not in current_results("mine", jobs)
    assert f"{path}: altered since it was made, so it is not recorded. Hint: " in capsys.readouterr().out
    path.write_text(whole)
    changed = job._replace(settings=job.settings | {"confidence": 0.5})
    assert current_results("mine", [changed]) == {}
    assert f"{path}: settings.confidence: 0.95 -> 0.5, so it is not recorded" in capsys.readouterr().out
    manifest.unlink()
    assert current_results("mine", [job]) == {}
    assert f"{path}: nothing proves it" in capsys.readouterr().out
    manifest.write_text(said)
    assert set(current_results("mine", [job])) == {"estimate/pbp"}
    runs = Path(job.inputs["runs"])
    read_table(runs).assign(score=0.0).to_parquet(runs)
    assert current_results("mine", [job]) == {}
    assert f"{path}: input {runs} has other bytes" in capsys.readouterr().out
