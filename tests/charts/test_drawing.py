"""A drawing's key is what it takes: a setting of one question changes the keys of no drawing that does not show it."""

import inspect

import pytest
from support.paths import ROOT

from surefoot.charts.draw import unit_settings
from surefoot.charts.drawing import keywords_of, signature_of
from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.registry import function_named
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.files import canonical_json
from surefoot.workflow.planning.plan import plan

EXAMPLE = [ROOT / "config" / "config.yaml", ROOT / "config" / "studies" / "example.yaml"]


def drawings(question: str = "", **changes: object) -> dict[str, dict]:
    """The plain data of all drawings of the example study, one of whose questions has other settings."""
    given = read_configuration(EXAMPLE)
    study = given["studies"]["example"]
    study["sources"]["runs"]["file"] = str(ROOT / study["sources"]["runs"]["file"])
    if question:
        study["questions"][question] |= changes
    jobs = [
        job for job in plan(validate_configuration(given, EXAMPLE)) if (job.stage, job.study) == ("draw", "example")
    ]
    return {name: drawing for job in jobs for name, drawing in job.settings["drawings"].items()}


def changed(question: str, **changes: object) -> set[str]:
    """Names of the drawings whose keys change with settings of a question, given the same tables."""
    before, after = (
        {name: canonical_json(unit_settings(name, drawing)) for name, drawing in found.items()}
        for found in (drawings(), drawings(question, **changes))
    )
    assert len(before) > 18 and before.keys() == after.keys()
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize(
    ("question", "changes", "shown"),
    [
        ("sequential", {"n_resamples": 301}, set()),
        ("performance_profiles", {"n_resamples": 2001}, set()),
        ("subsample_metrics", {"datasets": 5001}, set()),
        ("aggregate_metrics", {"n_resamples": 20_001}, set()),
        ("how_many_runs", {"datasets": 501}, {"how_many_runs"}),  # which quotes the number
        ("probability_of_improvement", {"method": "percentile"}, {"probability_of_improvement"}),
        ("multiple_comparisons", {"margin": 0.1}, {"multiple_comparisons", "verdict"}),
    ],
)
def test_a_setting_changes_the_keys_of_the_drawings_that_take_it(question, changes, shown):
    assert changed(question, **changes) == shown


def test_a_drawing_gets_only_what_its_functions_declare():
    for name, drawing in drawings().items():
        assert set(drawing) <= {"kind", "function", "tables", "keywords", "finding", "negated", "code"}, name
        for told in (drawing, drawing.get("finding")):
            if told is not None:
                declared = inspect.signature(function_named(told["function"])).parameters
                assert set(told["keywords"]) <= {key for key, one in declared.items() if one.kind is one.KEYWORD_ONLY}
        tables = inspect.signature(function_named(drawing["function"])).parameters
        assert set(drawing["tables"]) <= {key for key, one in tables.items() if one.kind is not one.KEYWORD_ONLY}


@pytest.mark.parametrize("function", sorted({one.function for group in CATALOGUE.values() for one in group.values()}))
def test_a_signature_is_read_from_the_source_as_python_reads_it(function):
    found = signature_of(function)
    parameters = inspect.signature(function_named(function)).parameters
    assert [*found.required, *found.optional, *found.keywords] == list(parameters)
    with_default = {name for name, one in parameters.items() if one.default is not one.empty}
    assert with_default == {*found.optional, *(name for name, has_default in found.keywords.items() if has_default)}


def test_a_keyword_that_a_function_does_not_have_is_refused():
    function = "surefoot.charts.profile_charts:performance_profiles_chart"
    assert keywords_of(function, {"step": True}, {"margin": 0.1, "titles": {}}) == {"titles": {}, "step": True}
    with pytest.raises(TypeError, match="has no keyword margin"):
        keywords_of(function, {"margin": 0.1}, {})
    with pytest.raises(TypeError, match="needs the keyword protocol"):
        keywords_of("surefoot.charts.study_tables:protocol_table", {}, {"titles": {}})
