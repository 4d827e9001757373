"""Surefoot: how good is a reinforcement-learning algorithm, and how sure can we be?

As a library: each question of scores is a function of runs, such as `surefoot.aggregates(scores)`, with the name and
the settings that it has in a study; `dir(surefoot)` lists them, and `help(surefoot.aggregates)` says what one takes and
answers. Runs are a table (one row per run: algorithm, environment, run, score) or a dict of arrays, runs x tasks, one
per algorithm. A result has a method `table`, most have `chart` and some `finding`; some keep their resamples and answer
more.
"""

from importlib import import_module as _import
from typing import Any

__version__ = "0.1.0"
_FOLDERS = "surefoot.questions.folders"
_READERS = {
    "aligned_curves": "surefoot.curves.alignment",
    "normalized_scores": "surefoot.scales.functions",
    "protocol_card": "surefoot.logs.protocol",
    "read_runs": "surefoot.logs.reading",
    "report": "surefoot.cli.table_report",
    "scores_of_curves": "surefoot.curves.scores",
    "selection_bias": "surefoot.curves.scores",
    "what_was_found": "surefoot.logs.summary",
}
"""Functions that read, prepare and report runs, with their modules."""


def __getattr__(name: str) -> Any:
    """The public functions, made when they are first asked for."""
    if name in _READERS:
        return getattr(_import(_READERS[name]), name)
    names = _import(_FOLDERS).question_names()
    if name == "__all__":
        return sorted([*names, *_READERS])
    if name in names:
        return _import("surefoot.questions.functions").public_function(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    own = [name for name in globals() if name.startswith("__")]
    return sorted([*own, *_READERS, *_import(_FOLDERS).question_names()])
