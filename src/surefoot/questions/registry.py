"""The questions of sets of scores, each a folder, with their settings and the schema that these make."""

import functools
from importlib import import_module

from surefoot.questions.folders import question_names
from surefoot.questions.settings import QuestionSettings


@functools.cache
def questions() -> dict[str, type[QuestionSettings]]:
    """The settings of each question by its name."""
    return {name: import_module(f"{__package__}.{name}.settings").Settings for name in question_names()}


def schema() -> dict:
    """The JSON Schema of an entry of `estimate.analyses`: the settings of its kind, made of their models."""
    asked = {name: model for name, model in questions().items() if model.asked_in == "estimate.analyses"}
    texts = ", ".join(f"{name} ({model.__doc__.strip().rstrip('.')})" for name, model in asked.items())
    kinds = {"enum": list(asked), "description": f"What is asked: {texts}."}
    chosen = [
        {
            "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
            "then": _plain(model.model_json_schema()),
        }
        for name, model in asked.items()
    ]
    return {
        "type": "object",
        "required": ["kind", "scores"],
        "properties": {"kind": kinds},
        "allOf": chosen,
        "description": "What is asked of some sets of scores; its numbers are those of the figure of its name.",
    }


def _plain(schema: dict) -> dict:
    """A model's schema with its definitions in their places, and without titles that repeat the keys."""
    definitions = schema.pop("$defs", {})

    def resolved(part: object) -> object:
        if isinstance(part, list):
            return [resolved(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            part = definitions[part["$ref"].rpartition("/")[2]] | {key: part[key] for key in part if key != "$ref"}
        if "anyOf" in part:  # an optional key: it may be left out, but not be null
            (kind,) = (each for each in part["anyOf"] if each != {"type": "null"})
            part = kind | {key: part[key] for key in part if key not in ("anyOf", "default")}
        return {
            key: {name: resolved(each) for name, each in value.items()} if key == "properties" else resolved(value)
            for key, value in part.items()
            if key != "title"
        }

    return resolved(schema)


def answer_module(question: str) -> str:
    """Dotted name of the module that answers a question, by its function `answer(sets, settings, shared)`."""
    return f"{__package__}.{question}.answer"
