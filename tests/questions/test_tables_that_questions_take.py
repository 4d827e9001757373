"""Which tables the jobs of questions take."""

from surefoot.questions.planning import question_jobs
from surefoot.questions.registry import questions as kinds

TABLES = {
    "source:runs": "results/collect/mine/runs.parquet",
    "source:some": "results/collect/mine/some.parquet",
    "scale:performance_percentile": "results/normalize/mine/performance_percentile.parquet",
}
SHARED = {"seed": 1, "confidence": 0.95, "replicates": 10}


def weights_of(**questions):
    """What the percentiles of single runs take for weights."""
    jobs = question_jobs("mine", questions, TABLES, SHARED)
    return next(job for job in jobs if job.part == "percentiles").inputs.get("weights")


def test_percentiles_of_runs_take_the_weights_of_their_own_source():
    """Those of other runs are weights of other environments and opponents."""
    of_all = "results/aggregate/mine/scores_weights.csv"
    assert weights_of(percentiles=kinds()["run_percentiles"](), scores=kinds()["game_scores"]()) == of_all
    assert weights_of(percentiles=kinds()["run_percentiles"](source="some"), scores=kinds()["game_scores"]()) is None
    assert (
        weights_of(percentiles=kinds()["run_percentiles"](source="some"), scores=kinds()["game_scores"](source="some"))
        == of_all
    )
    assert weights_of(percentiles=kinds()["run_percentiles"]()) is None
