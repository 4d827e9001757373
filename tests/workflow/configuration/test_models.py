"""Models of the configuration: the questions that a study asks by default, and the address of a site."""

import pytest
from support.shipped_configuration import QUESTIONS, SHIPPED, changed

from surefoot.errors import InputError
from surefoot.runs.sources.tables import QUESTIONS_OF_RUNS
from surefoot.workflow.configuration.validation import validate_configuration


def test_a_study_without_questions_asks_the_usual_ones():
    config = changed(*QUESTIONS[:2], "questions", to=None)
    study = validate_configuration(config, SHIPPED).studies["jordan2020"]
    assert list(study.questions) == ["evaluation_game_scores", "evaluation_game_intervals"]


def test_a_study_of_a_table_asks_what_a_report_asks():
    given = {"studies": {"mine": {"title": "Mine", "sources": {"runs": {"kind": "score_table", "file": "scores.csv"}}}}}
    assert list(validate_configuration(given, []).studies["mine"].questions) == [*QUESTIONS_OF_RUNS]


@pytest.mark.parametrize("address", ["example.org", "https://example.org/?page", "", "ftp://example.org"])
def test_the_address_of_the_site_is_one_of_the_web(address):
    with pytest.raises(
        InputError, match=r"address: .* is not an address\. Hint: use one such as https://example\.org/surefoot"
    ):
        validate_configuration(changed("address", to=address), SHIPPED)
    assert validate_configuration(changed("address", to="https://example.org/surefoot"), SHIPPED)
