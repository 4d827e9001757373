"""The schema of the configuration is made of its models, which check what a file says; editors read the schema."""

import ast
import json
import re
from collections.abc import Iterator

import jsonschema
import pytest
from support.paths import ROOT

from surefoot.questions._framework.registry import QUESTIONS
from surefoot.runs.scales.settings import SCALES
from surefoot.runs.setting_errors import PARTS
from surefoot.runs.sources.settings import SOURCES
from surefoot.workflow.configuration.places import read_configuration
from surefoot.workflow.configuration.schema import SCHEMA_PATH, schema
from surefoot.workflow.files import canonical_json

SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
OVERLAYS = sorted((ROOT / "config" / "overlays").glob("*.yaml"))


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
    assert len(list(objects(schema()))) > sum(len(kinds.complete()) for kinds in (SOURCES, SCALES, QUESTIONS))


def test_the_configuration_knows_no_kind_by_name():
    """Each kind describes, completes and checks itself."""
    names = {kind for registry in (SOURCES, SCALES, QUESTIONS) for kind in registry.complete()}
    names -= {"published", "study"}  # also a key, and the usual page
    texts = [
        (path.name, node.value)
        for path in (ROOT / "src" / "surefoot" / "configuration").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [place for place in texts if place[1] in names] == []
    classes = {kind.__name__ for registry in (SOURCES, SCALES) for kind in registry.complete().values()}
    sources = [path.read_text() for path in (ROOT / "src" / "surefoot" / "configuration").glob("*.py")]
    assert not [name for name in classes for text in sources if re.search(rf"\b{name}\b", text)]
    assert not [text for text in sources if re.search(r"\.kind\b|isinstance\([^)]*(Source|Scale|Question)", text)]


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
