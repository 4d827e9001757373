"""The page of the configuration: every kind with its keys, their types, bounds and defaults."""

from surefoot.reference import configuration_page


def test_a_kind_has_its_keys_with_types_bounds_and_defaults():
    keys = {
        "name": {"type": "string", "description": "A name."},
        "sizes": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1},
            "default": [3, 5],
            "description": "N.",
        },
        "level": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}], "description": "*Level*."},
        "band": {"enum": ["pointwise", "simultaneous"], "default": "pointwise", "description": "Which."},
    }
    entry = {
        "if": {"properties": {"kind": {"const": "rank_profile"}}},
        "then": {"description": "About it.", "properties": {"kind": {"const": "rank_profile"}, **keys}},
    }
    parts = {name: {"additionalProperties": {"allOf": []}} for name in ("sources", "scales")}
    parts["questions"] = {"additionalProperties": {"allOf": [entry]}}
    page = configuration_page({"properties": {"studies": {"additionalProperties": {"properties": parts}}}})
    assert page.endswith(
        "## Questions\n\n### rank_profile\n\nAbout it.\n\n"
        "- `name` (text): A name.\n"
        "- `sizes` (list of whole number ≥ 1; by default `3`, `5`): N.\n"
        "- `level` (number > 0): \\*Level\\*.\n"
        "- `band` (`pointwise`, `simultaneous`; by default `pointwise`): Which.\n"
    )


def test_a_function_s_arguments_are_not_repeated():
    keys = {name: {"type": "string", "description": "Text."} for name in ("kind", "metrics", "scores")}
    entry = {"if": {"properties": {"kind": {"const": "aggregates"}}}, "then": {"properties": keys}}
    parts = {name: {"additionalProperties": {"allOf": []}} for name in ("sources", "scales")}
    parts["questions"] = {"additionalProperties": {"allOf": [entry]}}
    page = configuration_page({"properties": {"studies": {"additionalProperties": {"properties": parts}}}})
    assert "[the function](functions_scores.md#aggregates), and\n\n- `scores`" in page
    assert "`metrics`" not in page
