"""Binary outcomes: rows of one run are its trials, and the run's score is its success rate."""

import pandas as pd
import pytest
from support.one_study import make, planned

import surefoot
from surefoot.errors import HintedError, InputError
from surefoot.runs.sources.score_tables import read
from surefoot.runs.sources.tables import ScoreTable


def outcomes():
    """4 runs of 10 trials of two algorithms, whose numbers of successes are known."""
    wins = {"ours": (10, 9, 10, 7), "base": (5, 0, 10, 2)}
    rows = [(a, "maze", r, int(t < won)) for a, runs in wins.items() for r, won in enumerate(runs) for t in range(10)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def collected(table, folder, **more):
    table.to_csv(folder / "outcomes.csv", index=False)
    settings = ScoreTable.model_validate({"file": str(folder / "outcomes.csv"), "outcomes": "binary"} | more)
    return read(settings, settings.files())


def test_the_score_of_a_run_is_its_rate(tmp_path):
    found = collected(outcomes().sample(frac=1, random_state=0), tmp_path).set_index(["algorithm", "run"])
    assert found["score"]["ours"].to_dict() == {0: 1.0, 1: 0.9, 2: 1.0, 3: 0.7}
    assert found["score"]["base"].to_dict() == {0: 0.5, 1: 0.0, 2: 1.0, 3: 0.2}
    assert (found["trials"] == 10).all()
    as_words = outcomes().assign(score=outcomes()["score"].map({1: "True", 0: "false"}))
    assert collected(as_words, tmp_path)["score"].sum() == found["score"].sum()
    rates = found.reset_index()[["algorithm", "environment", "run", "score", "trials"]]
    again = collected(rates.rename(columns={"trials": "episodes"}), tmp_path, columns={"trials": "episodes"})
    pd.testing.assert_frame_equal(again.set_index(["algorithm", "run"])[list(found)], found, check_index_type=False)


def test_rates_of_failures_are_lower_is_better(tmp_path):
    found = collected(outcomes(), tmp_path, lower_is_better=True)
    assert found["score"].tolist()[:4] == [-1.0, -0.9, -1.0, -0.7]


@pytest.mark.parametrize(
    ("change", "more", "message"),
    [
        ({"score": 0.5}, {}, r"score '0\.5' \(80 such rows\)\. Hint: use 1 for a success and 0 for a failure"),
        ({"score": ""}, {}, r"score '' \(80 such rows\)"),
        (
            {"score": 0.25, "n": 10},
            {"columns": {"trials": "n"}},
            r"score '0\.25' .*the rate of successes in the trials",
        ),
        ({"score": 12, "n": 10}, {"columns": {"trials": "n"}}, r"score '12' .*from 0 to 1"),
        ({"n": 0.5}, {"columns": {"trials": "n"}}, r"trials '0\.5' .*a whole number"),
    ],
)
def test_what_is_no_outcome_is_an_error(tmp_path, change, more, message):
    with pytest.raises(InputError, match=message):
        collected(outcomes().assign(**change), tmp_path, **more)


@pytest.mark.parametrize("score", [10**400, 1j, 0.98])
@pytest.mark.parametrize("question", [surefoot.success_rates, surefoot.success_rate_differences])
def test_numbers_that_are_no_outcomes_are_quoted_as_written(question, score):
    runs = pd.DataFrame({"algorithm": ["a", "b"], "environment": "e", "run": 0, "score": [score, 1]})
    with pytest.raises(HintedError, match=rf"a in e, run 0: score \(?{str(score)[:20]}"):
        question(runs)


def test_a_study_answers_what_the_function_does(own_folder):
    outcomes().to_csv("outcomes.csv", index=False)
    source = {"kind": "score_table", "file": "outcomes.csv", "outcomes": "binary"}
    questions = {"success_rates": {}, "success_rate_differences": {}, "evaluation_game_scores": {}}
    study = {"sources": {"runs": source}, "questions": questions}
    make(planned(study), lambda job: job.stage in ("collect", "estimate"))
    found = pd.read_csv("results/estimate/mine/success_rates.csv")
    ours = surefoot.success_rates(outcomes())
    pd.testing.assert_frame_equal(found, ours.table(), check_dtype=False)
    differences = pd.read_csv("results/estimate/mine/success_rate_differences.csv")
    apart = surefoot.success_rate_differences(outcomes()).table()
    assert set(apart["unit"]) == {"training"}
    pd.testing.assert_frame_equal(differences, apart, check_dtype=False)
    assert found["rate"].tolist() == pytest.approx([0.9, 0.425]) and found["trials"].tolist() == [40, 40]
    assert (found["low"] < found["rate"]).all() and (found["rate"] < found["high"]).all()
    assert "Highest success rate: ours, 90.0 %" in ours.finding()
    study["sources"] = {"runs": source | {"outcomes": "scores"}}
    with pytest.raises(InputError, match='success_rates needs a source of outcomes, but "runs" is not one'):
        planned(study)
    with pytest.raises(HintedError, match="no run has more than one trial"):
        surefoot.success_rates(outcomes().drop_duplicates(["algorithm", "run"]))
