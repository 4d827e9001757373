"""Models of the configuration: the questions that a study asks by default, the address of a site, and the schema.

The schema is made of the models, which check what a file says; editors read the schema.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from support.paths import ROOT
from support.shipped_configuration import QUESTIONS, SHIPPED, changed

from surefoot.errors import InputError
from surefoot.questions._framework import question_registry
from surefoot.runs.scales.scale_settings import SCALES
from surefoot.runs.setting_errors import PARTS
from surefoot.runs.sources.source_settings import SOURCES
from surefoot.runs.sources.tables import QUESTIONS_OF_RUNS
from surefoot.workflow.configuration import question_checks
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.models import SCHEMA_PATH, schema
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.files import canonical_json

SOURCE = ROOT / "src" / "surefoot"
OVERLAYS = sorted((ROOT / "config" / "overlays").glob("*.yaml"))


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


def objects(part: object, place: tuple = ()) -> Iterator[tuple[tuple, dict]]:
    """Every part of the schema that describes a mapping, with its place; conditions and references apart."""
    if isinstance(part, dict):
        if "object" in part.get("type", ()) and "if" not in part:
            yield place, part
        for key, value in part.items():
            if key != "if":
                yield from objects(value, (*place, key))
    elif isinstance(part, list):
        for position, value in enumerate(part):
            yield from objects(value, (*place, position))


def test_the_file_is_what_the_models_make():
    """After a change of a model, `surefoot schemas` writes it anew."""
    assert SCHEMA_PATH.read_text() == canonical_json(schema())


def test_every_key_is_described():
    models = schema()["$defs"]

    def described(key):
        return key if "description" in key else models.get(key.get("$ref", "").removeprefix("#/$defs/"), {})

    found = [
        (*place, name)
        for place, part in objects(schema())
        for name, key in part.get("properties", {}).items()
        if place[-1:] not in [(part,) for part in PARTS]  # whose entries are named after their kinds
        if not described(key).get("description")
    ]
    assert found == []
    assert len(list(objects(schema()))) > sum(
        len(kinds.complete()) for kinds in (SOURCES, SCALES, question_registry.QUESTIONS)
    )


def test_the_models_know_no_kind_by_name():
    """Each kind describes, completes and checks itself; only checks of questions in a study know kinds of others."""
    names = {name for kinds in (SOURCES, SCALES, question_registry.QUESTIONS) for name in kinds.complete()}
    names -= {"published", "study"}  # also a key, and the usual page
    paths = set((SOURCE / "workflow" / "configuration").glob("*.py")) - {Path(question_checks.__file__)}
    sources = {path.name: path.read_text() for path in paths}
    texts = [
        (name, node.value)
        for name, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert len(texts) > 50
    assert [place for place in texts if place[1] in names] == []
    classes = {kind.__name__ for kinds in (SOURCES, SCALES) for kind in kinds.complete().values()}
    assert not [name for name in classes for source in sources.values() if re.search(rf"\b{name}\b", source)]
    assert not [
        name
        for name, source in sources.items()
        if re.search(r"\.kind\b|isinstance\([^)]*(Source|Scale|Question)", source)
    ]


def test_every_object_is_strict():
    """It says of all keys what they are; entries are so by the model of the kind that they must say."""
    loose = [
        place
        for place, part in objects(schema())
        if part.get("additionalProperties", True) is True and "allOf" not in part and "not" not in part
    ]
    assert loose == []


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(json.loads(SCHEMA_PATH.read_text()))


@pytest.mark.parametrize("overlay", [None, *OVERLAYS], ids=lambda path: path.stem if path else "shipped")
def test_the_shipped_configuration_keeps_to_the_schema(validator, overlay):
    given = read_configuration([*SHIPPED, *([overlay] if overlay else [])])
    assert [error.json_path for error in validator.iter_errors(given)] == []


@pytest.mark.parametrize(
    "study",
    [
        {"sources": {"runs": {"kind": "score_table", "file": "x.csv"}}},
        {"title": "x", "sources": {"runs": {"file": "x.csv"}}},
        {"title": "x", "sources": {"runs": {"kind": "score_tabel", "file": "x.csv"}}},
        {"title": "x", "sources": {"score_table": {"fil": "x.csv"}}},
        {
            "title": "x",
            "sources": {"score_table": {"file": "x.csv"}},
            "questions": {"rank_probabilities": {"sizes": [3]}},
        },
        {"title": "x", "sources": {"score_table": {"file": "x.csv"}}, "titel": "y"},
    ],
)
def test_mistakes_do_not_keep_to_the_schema(validator, study):
    right = {"title": "x", "sources": {"score_table": {"file": "x.csv"}, "others": None}}
    right |= {
        "questions": {"rank_probabilities": {}, "mine": {"kind": "rank_probabilities"}},
        "scales": {"mine": {"source": "runs"}},
    }
    assert validator.is_valid({"studies": {"mine": right, "other": None}})
    assert not validator.is_valid({"studies": {"mine": study}})
