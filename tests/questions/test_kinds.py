"""What each kind of question says of itself."""

from surefoot.questions.registry import questions
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings


def test_a_question_says_where_it_is_asked_and_of_what():
    asked = questions().values()
    of_scores = [question for question in asked if issubclass(question, QuestionSettings)]
    assert {question.stage for question in asked} == {"aggregate", "estimate", "cover"}
    assert {question.needs for question in of_scores} == {"scores", "curves", "means", "times", "settings"}
    assert all(question.instead for question in of_scores if question.needs != "scores")
    of_runs = [question for question in asked if issubclass(question, QuestionOfRuns)]
    assert {question.needs for question in of_runs} == {
        "runs",
        "plays",
        "same_hyperparameters",
        "evaluations",
        "outcomes",
    }
    assert set(asked) == {*of_scores, *of_runs}
