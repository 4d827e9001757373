"""Questions asked as a study asks them."""

from importlib import import_module

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.registry import answer_module, questions
from surefoot.questions.results import as_result


def ask(kind: str, sets: dict[str, pd.DataFrame], options: dict) -> pd.DataFrame:
    """The answer; of the options those that are keys of the question, and seed, confidence, replicates and threads."""
    model = questions()[kind]
    names = {field.alias or name for name, field in model.model_fields.items()}
    given = {key: value for key, value in options.items() if key in names - {"scores"}}
    settings = model(**given | ({"scores": list(sets)} if "scores" in names else {}))
    shared = Shared(**{key: options[key] for key in Shared._fields if key in options})
    return as_result(import_module(answer_module(kind)).answer(sets, settings, shared)).table()
