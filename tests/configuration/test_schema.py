"""The schema of the configuration is made of its models, which check what a file says; editors read the schema."""

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from surefoot.build.files import canonical_json
from surefoot.configuration.places import read_configuration
from surefoot.configuration.schema import SCHEMA_PATH, schema
from surefoot.configuration.validation import KINDS

ROOT = Path(__file__).parents[2]
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
    found = [
        (*place, name)
        for place, part in objects(schema())
        for name, key in part.get("properties", {}).items()
        if not (key.get("description") or place[-1] in KINDS)  # the entries of a part are named after their kinds
    ]
    assert found == []
    assert len(list(objects(schema()))) > sum(len(models()) for models in KINDS.values())


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
        {"title": "x", "sources": {"score_table": {"file": "x.csv"}}, "questions": {"ranks": {"sizes": [3]}}},
        {"title": "x", "sources": {"score_table": {"file": "x.csv"}}, "titel": "y"},
    ],
)
def test_mistakes_do_not_keep_to_the_schema(validator, study):
    right = {"title": "x", "sources": {"score_table": {"file": "x.csv"}, "others": None}}
    right |= {"questions": {"ranks": {}, "mine": {"kind": "ranks"}}, "scales": {"mine": {"source": "runs"}}}
    assert validator.is_valid({"studies": {"mine": right, "other": None}})
    assert not validator.is_valid({"studies": {"mine": study}})
