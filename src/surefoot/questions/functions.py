"""Each question as a public function: `surefoot.profiles(runs, ...)` asks what a study asks by `kind: profiles`.

A question says nothing of its function: arguments, documentation and checks are made of its folder.
"""

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.build.errors import nearest
from surefoot.errors import HintedError
from surefoot.questions.arguments import argument_fields, settings_of
from surefoot.questions.documentation import STEPS, documentation, needed, signature
from surefoot.questions.registry import answer_module, questions
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.questions.results import Result


_CALLED = {
    **dict.fromkeys(("reps", "n_bootstrap", "n_boot", "n_resamples", "bootstrap_samples"), "replicates"),
    **dict.fromkeys(("confidence_interval_size", "confidence_level", "ci"), "confidence"),
    **dict.fromkeys(("random_state", "rng"), "seed"),
    **dict.fromkeys(("taus", "tau_list"), "thresholds"),
    **dict.fromkeys(("func", "metric", "statistic"), "metrics"),
    "method": "methods",
}
"""What arguments are called in rliable, scipy and seaborn."""


@functools.cache
def public_function(question: str) -> Callable[..., Any]:
    """The function of a question, with its signature and documentation."""

    def ask(runs: Any, **given: Any) -> "Result":
        return _ask(question, runs, given)

    ask.__name__ = ask.__qualname__ = question
    ask.__module__ = "surefoot"
    vars(ask)["__signature__"] = signature(question)
    ask.__doc__ = documentation(question)
    return ask


def _ask(question: str, runs: Any, given: Mapping[str, Any]) -> "Result":
    """The result of the question, asked of these runs.

    Raises
    ------
    TypeError : an argument that is unknown or missing
    ValueError : a value that is not allowed, and runs that cannot be asked
    """
    model, known = questions()[question], argument_fields(question)
    steps = given.get(STEPS)
    if needed(question) == "curves":
        given = {name: value for name, value in given.items() if name != STEPS}
    unknown = [name for name in given if name not in known]
    if unknown:
        here = _CALLED.get(unknown[0])
        hint = f"{here}=" if here in known else nearest(unknown[0], known)
        raise TypeError(f"surefoot.{question}: no argument {unknown[0]}. Hint: {hint}")
    settings = settings_of(question, given)
    read_sets, read_runs, answer = _loaded(question)
    from surefoot.questions.answering import Shared
    from surefoot.questions.checking import check_runs
    from surefoot.questions.results import Asked, as_result
    from surefoot.sources.given.curves import at_steps
    from surefoot.sources.given.scale_remark import scale_remark

    values = dict(settings)
    shared = Shared(*(values[name] for name in Shared._fields))
    own = {name: values[name] for name in model.model_fields}
    if isinstance(settings, QuestionOfRuns):
        table = read_runs(runs, settings.takes, values["checked"])
        asked = model.model_construct(**own)
        check_runs(table, asked, f"surefoot.{question}")
        found = answer({"runs": table}, asked, shared)
        return replace(as_result(found), asked=Asked(question, settings.plain()))
    if not isinstance(settings, QuestionSettings):
        raise TypeError(f"surefoot.{question} asks neither of sets of scores nor of runs")
    right = values["checked"] or values.get("shared_runs") is True  # runs that tasks share look like tasks
    sets = read_sets(runs, settings.needs, right or not settings.looks_at_axes)
    if steps is not None:
        sets = {name: at_steps(table, steps) for name, table in sets.items()}
    if len(sets) > 1 and not settings.several_sets:
        raise HintedError(f"surefoot.{question}", f"{len(sets)} sets of runs", f"ask it of one of {', '.join(sets)}")
    if settings.one_algorithm:
        _refuse_several_algorithms(question, values["algorithms"], next(iter(sets.values())))
    asked = model.model_construct(**own | {"scores": tuple(sets)})
    if settings.needs == "scores":
        for table in sets.values():
            check_runs(table, asked, f"surefoot.{question}")
    found = answer(sets, asked, shared)
    remark = ""
    if settings.pools_tasks and settings.needs in ("scores", "curves") and not values["checked"]:
        given = runs if len(sets) > 1 else dict.fromkeys(sets, runs)
        remark = next(filter(None, (scale_remark(table, given.get(name)) for name, table in sets.items())), "")
    return replace(as_result(found), asked=Asked(question, settings.plain()), remark=remark)


@functools.cache
def _loaded(question: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """(what reads runs, what answers the question), with all kernels that the answer can reach.

    They keep their compiled code in a folder of the state of the code, unless the variable NUMBA_CACHE_DIR names
    another: numba's own cache does not see edits in other files, and loads damaged files (see `build.kernel_cache`).
    """
    from surefoot.build.fingerprint import reached_modules
    from surefoot.build.kernel_cache import kernels_kept, kernels_of
    from surefoot.build.store import store_folder

    module = answer_module(question)
    with kernels_kept(Path(os.environ.get("NUMBA_CACHE_DIR") or kernels_of(store_folder(None)))):
        for reached in reached_modules(module):
            import_module(reached)
        from surefoot.sources.given.sets import read_runs, read_sets
    return read_sets, read_runs, import_module(module).answer


def _refuse_several_algorithms(question: str, chosen: Sequence[str] | None, table: "pd.DataFrame") -> None:
    chosen = chosen or tuple(dict.fromkeys(table["algorithm"]))
    if len(chosen) > 1:
        raise HintedError(
            f"surefoot.{question}",
            f"it takes one algorithm, and {', '.join(chosen)} are {len(chosen)}",
            f"algorithms=[{chosen[0]!r}]",
        )
