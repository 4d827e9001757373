"""Call a question: read and check its runs, check its arguments, and record the call in the result."""

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import pandas as pd
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from threadpoolctl import threadpool_limits

from surefoot.errors import HintedError, conjugated, nearest, shortened, shown
from surefoot.progress import CALL
from surefoot.questions._framework.checking import check_runs
from surefoot.questions._framework.custom_metrics import function_rows, separate_functions
from surefoot.questions._framework.question_registry import (
    argument_fields,
    model_of,
    name_in_programs,
    parameters,
    questions,
)
from surefoot.questions._framework.question_settings import Question, QuestionSettings
from surefoot.questions._framework.results import Asked, Result
from surefoot.runs.given.given_arrays import pandas_table
from surefoot.runs.given.sets import at_steps, read_runs, read_sets, scale_remark, with_clusters
from surefoot.runs.sections import Section
from surefoot.runs.setting_errors import SettingError, validated

_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("reps", "n_bootstrap", "n_boot", "replicates", "bootstrap_samples"), ("n_resamples",)),
    **dict.fromkeys(("confidence_interval_size", "confidence", "ci", "alpha", "level"), ("confidence_level",)),
    **dict.fromkeys(("random_state", "rng"), ("seed",)),
    **dict.fromkeys(("n_jobs", "workers", "n_threads"), ("threads",)),
    **dict.fromkeys(("taus", "tau", "tau_list", "threshold"), ("thresholds",)),
    **dict.fromkeys(("func", "aggregate_func", "metric", "metrics", "statistic"), ("metrics", "metric")),
    **dict.fromkeys(("method", "methods"), ("methods", "method")),
    **dict.fromkeys(("size", "sizes", "n_runs", "runs"), ("sizes", "size")),
    **dict.fromkeys(("frames", "timesteps"), ("steps",)),
    **dict.fromkeys(("task_bootstrap", "unit"), ("resample",)),
    **dict.fromkeys(("algorithms_to_compare", "algorithm_pairs"), ("pairs", "algorithms")),
    **dict.fromkeys(("use_score_distribution", "score_distribution"), ("distributions",)),
    **dict.fromkeys(("control", "reference", "compare", "compare_to"), ("baseline",)),
    **dict.fromkeys(("direction", "maximize", "higher_is_better"), ("lower_is_better",)),
}
"""Arguments to suggest for names that rliable, scipy, seaborn or other questions use."""
_EXAMPLES = {
    "scores": '{"a": numpy.random.rand(5, 3), "b": numpy.random.rand(5, 3)}, with scores of runs x tasks',
    "curves": '{"a": numpy.random.rand(5, 3, 9), "b": numpy.random.rand(5, 3, 9)}, with scores of runs x tasks x steps',
}
"""Examples of runs, by what a question needs."""
_ADJUSTED = ("correction", "adjust", "adjustment", "p_adjust", "multitest", "method", "methods")
"""Names under which other libraries choose a correction for multiple comparisons."""
_OF_A_FILE = re.compile(r"\b(\w+): (\[[^]]*\]|\w+(?:\([\w.]+\))?)")
"""Pattern for a setting in YAML syntax, such as `paired: false`."""


def call(model: type[Question], *unnamed: Any, **given: Any) -> Result:
    """Answer a question for runs in any form.

    Parameters
    ----------
    model : model of the question
    unnamed : the runs, in any form that the question accepts; all other arguments are passed by name
    given : arguments by name, which may include the runs

    Raises
    ------
    TypeError
        If an argument is unknown or missing.
    ValueError
        If a value is not allowed, or the runs cannot answer the question.
    """
    where = name_in_programs(model)
    if unnamed and "runs" in given:
        raise TypeError(f"{where}: runs is passed twice. Hint: {_meant('runs', list(parameters(model.function)))}")
    if not unnamed and "runs" not in given:
        raise TypeError(f"{where}: runs is missing. Hint: {_EXAMPLES.get(model.needs, f'see help({where})')}")
    runs = unnamed[0] if unnamed else given.pop("runs")
    if len(unnamed) > 1:
        hint = _with_names(where, parameters(model.function), runs, unnamed[1:])
        raise TypeError(f"{where}: only the runs are passed without a name. Hint: {hint}")
    unchecked = {key: given.pop(key) for key in model.unchecked if key in given}
    functions: dict[str, Any] = {}
    is_alone = False
    if model.takes_functions and "metrics" in given:
        names, functions = separate_functions(where, given["metrics"])
        is_alone = not names
        given["metrics"] = names or (["mean"] if functions else given["metrics"])
    arguments = checked_arguments(model, given, where, runs)
    values = dict(arguments)
    progress = CALL.set(where)
    try:
        sets, remark = _read(model, runs, values, unchecked.get("steps"), where)
        if model.needs not in ("curves", "means", "times"):
            for table in sets.values():
                check_runs(table, model.model_construct(**values), where)
        taken = next(iter(sets.values())) if model.sets == "one" else sets
        # Systems and products are small, and take up to ten times the time in several threads of the linear algebra.
        with threadpool_limits(limits=1, user_api="blas"):
            answer: Result = model.function(taken, **values, **unchecked)
            if functions:
                answer = _with_functions(answer, sets, functions, values, is_alone=is_alone)
    except HintedError as error:
        mentioned = [one.function for name, one in questions().items() if name in error.hint]
        hint = _in_python(error.hint, {name for one in (model.function, *mentioned) for name in parameters(one)})
        if hint == error.hint:
            raise
        raise type(error)(error.where, error.what, hint) from None
    finally:
        CALL.reset(progress)
    asked = Asked(model.function.__name__, arguments.model_dump(mode="json", by_alias=True, exclude_none=True))
    return replace(answer, asked=asked, remark=remark, runs=next(iter(sets.values())) if len(sets) == 1 else None)


def _with_functions(
    answer: Result,
    sets: Mapping[str, pd.DataFrame],
    functions: Mapping[str, Any],
    values: Mapping[str, Any],
    is_alone: bool,
) -> Result:
    """Add rows for custom metrics (functions) to an answer; if `is_alone`, keep only these rows."""
    rows = answer.table()
    of_one = rows[(rows["metric"] == rows["metric"].iloc[0]) & (rows["method"] == rows["method"].iloc[0])]
    found = function_rows(sets, of_one, functions, values)
    return replace(answer, rows=found if is_alone else pd.concat([rows, found], ignore_index=True))


def _with_names(where: str, names: Iterable[str], runs: Any, unnamed: Sequence[Any]) -> str:
    """Suggest the correct call after a call with several arrays, or with settings as positional arguments."""
    if all(hasattr(one, "ndim") for one in (runs, *unnamed)):
        return f'{where}({{"a": x, "b": y}}), with an array of runs x tasks for each algorithm'
    return f"{where}(runs, {', '.join(f'{name}=...' for name, _ in zip(names, unnamed, strict=False))})"


def _in_python(hint: str, names: Collection[str]) -> str:
    """Convert settings in a hint from YAML syntax to Python syntax."""

    def argument(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name not in names:
            return match[0]
        if value in ("true", "false"):
            value = value.title()
        elif not value.startswith("[") and not value.isdigit():
            value = f'"{value}"'
        return f"{name}={value}"

    return _OF_A_FILE.sub(argument, hint)


def _read(
    model: type[Question], runs: Any, values: Mapping[str, Any], steps: Any, where: str
) -> tuple[dict[str, pd.DataFrame], str]:
    """Return the tables of runs by name, and a remark on their scale; the remark may be empty.

    Parameters
    ----------
    values : arguments by name
    steps : steps of the third axis of arrays of learning curves, or None
    where : name of the question in errors
    """
    skip_checks = bool(values.get("skip_checks"))
    if "use_clusters" in values:
        runs = with_clusters(runs, values["use_clusters"], where)
    if not issubclass(model, QuestionSettings):
        return {"runs": read_runs(runs, model.needs, skip_checks)}, ""
    right = skip_checks or values.get("shared_runs") is True  # shared runs would look like swapped axes
    sets = read_sets(runs, model.needs, right or not model.looks_at_axes)
    if steps is not None:
        sets = {key: at_steps(table, steps) for key, table in sets.items()}
    if len(sets) > 1 and model.sets != "several":
        what = f"got {len(sets)} sets of runs, but it takes only one"
        raise HintedError(where, what, f"pass one of {', '.join(sets)}")
    if skip_checks or not model.pools_tasks or model.needs not in ("scores", "curves"):
        return sets, ""
    by_set = runs if len(sets) > 1 else dict.fromkeys(sets, runs)
    remarks = (scale_remark(table, by_set.get(key)) for key, table in sets.items())
    return sets, next(filter(None, remarks), "")


def _names(runs: Any) -> list[str]:
    """Return the names of the algorithms of unchecked runs, or "a" and "b" if there are fewer than two."""
    table = pandas_table(runs)
    names = list(table) if isinstance(table, Mapping) else []
    if isinstance(table, pd.DataFrame) and "algorithm" in table:
        names = list(dict.fromkeys(map(str, table["algorithm"])))
    return [str(name) for name in names] if len(names) > 1 else ["a", "b"]


def _pair(runs: Any) -> str:
    """Write the names of the first two algorithms of unchecked runs as a list in Python."""
    names = _names(runs)
    return f'["{shortened(names[0])}", "{shortened(names[1])}"]'


def checked_arguments(model: type[Question], given: Mapping[str, Any], where: str, runs: Any = None) -> BaseModel:
    """Check arguments as strictly as in a study (strings and bools are not numbers), and fill in the defaults.

    Parameters
    ----------
    given : values by name; arrays and ranges are accepted for lists, `Metric`s for strings, and a single string or
        number for a list
    where : name of the question in errors
    runs : runs with the names of algorithms for hints

    Raises
    ------
    TypeError
        If an argument is unknown or missing.
    ValueError
        If a value is not allowed.
    """
    arguments = _arguments(model)
    fields = arguments.model_fields
    for key in given:
        if key not in fields:
            hint = _meant(key, list(parameters(model.function)))
            raise TypeError(f'{where}: unknown argument "{key}". Hint: {hint}')
    missing = [key for key, field in fields.items() if field.is_required() and key not in given]
    if missing:
        example_of = {key: _pair(runs) if key == "algorithms" else _example(fields[key]) for key in missing}
        examples = ", ".join(f"{key}={example}" for key, example in example_of.items())
        verb = conjugated("are", len(missing))
        raise TypeError(f"{where}: {', '.join(missing)} {verb} missing. Hint: {examples}")
    plain = {key: _plain(where, key, value) for key, value in given.items()}
    if isinstance(one := plain.get("thresholds"), int | float):
        hint = f"use [{one}] for a single threshold"
        if isinstance(one, int) and one > 1:
            hint = f"use numpy.linspace(0, 1, {one}) for {one} thresholds, or [{one}] for a single threshold"
        raise HintedError(f"{where}: thresholds", f"got the number {one} instead of a list", hint)
    try:
        return validated(arguments, plain, in_python=True)
    except SettingError as error:
        place = f"{where}: {error.where}" if error.where else where
        of_whole = len(error.keys) == 1 and error.hint.startswith("it must be")
        example = _example(fields[str(error.keys[0])]) if of_whole else ""
        hint = f"{error.hint}, such as {example}" if example else error.hint
        if str(error.keys[0]) == "algorithms" and "is not a pair" in error.what:
            hint = f"use a list of two names, such as {_pair(runs)}"
        if str(error.keys[0]) == "pairs":
            hint = f"use a list of pairs, such as pairs=[{_pair(runs)}]"
        raise HintedError(place, error.what, hint) from None


def _meant(unknown: str, names: Sequence[str]) -> str:
    """Return a hint for the name of an unknown argument."""
    for usual in _OTHER_NAMES.get(unknown, ()):
        if usual in names:
            return f"{usual}=0.95 for an alpha of 0.05" if unknown == "alpha" else f"{usual}="
    if unknown in ("lower_is_better", "direction", "maximize", "higher_is_better"):
        return "surefoot.normalize_scores(runs, lower_is_better=True) makes higher scores better"
    if unknown == "pairs":
        return "algorithms= compares all pairs of these"
    if unknown == "gamma" and "metrics" in names:
        return 'metrics=["optimality_gap(2)"], for example'
    if unknown in _ADJUSTED and "paired" in names:
        return "leave it out, since intervals and p-values are adjusted for all comparisons"
    return nearest(unknown, names)


def _example(field: FieldInfo) -> str:
    """Return the first example in the type of an argument; empty if there is none."""
    parts = [mark for part in get_args(field.annotation) for mark in getattr(part, "__metadata__", ())]
    examples = [mark.examples[0] for mark in (field, *parts) if isinstance(mark, FieldInfo) and mark.examples]
    return str(examples[0]) if examples else ""


class _Arguments(BaseModel):
    """Base class of the arguments of a call, whose names `checked_arguments` has checked."""

    model_config = Section.model_config


@functools.cache
def _arguments(model: type[Question]) -> type[_Arguments]:
    """Return the model of the arguments of a call, without arguments that are passed on without checks."""
    fields = {name: kind for name, kind in argument_fields(model.function).items() if name not in model.unchecked}
    return model_of(model.function, _Arguments, fields)


def _plain(question: str, name: str, value: object) -> Any:
    """Convert a value to the form that a configuration file has: lists for arrays and ranges, strings for metrics."""
    from surefoot.statistics.metrics.metric_catalogue import Metric, metric

    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Metric):
        meant = metric(value)
        exact = f"{meant.name}({meant.parameter}) weighted by {meant.weighting}"
        return str(meant) if metric(str(meant)) == meant else exact
    if isinstance(value, Mapping):
        return {str(key): _plain(question, name, part) for key, part in value.items()}
    if hasattr(value, "tolist"):
        return _plain(question, name, value.tolist())
    if isinstance(value, Iterable):
        return [_plain(question, name, part) for part in value]
    allowed = "use numbers, strings and lists"
    if name in ("metrics", "metric"):
        allowed = 'use names such as "iqm"; only surefoot.aggregate_metrics also takes functions'
    if name == "seed":
        allowed = "use a whole number, such as 0"
    raise HintedError(question, f"{name}: {shown(value)} is not allowed", allowed)
