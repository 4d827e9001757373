"""Whether a study has what its questions need, as far as its configuration tells: tables, scales, names and numbers.

Of the functions of `CHECKS`, by the kind of the question:

    settings : of the question
    name : of the question in its study
    locate : the place of a key of the question, as errors name it; `others` are paths within the study
"""

from collections.abc import Callable
from typing import Any

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.questions.coverage import runs_of_all_datasets
from surefoot.sources.repeated_runs import RandomPolicies, SameHyperparameters
from surefoot.sources.settings import is_of_kind
from surefoot.sources.trials import Trials


def check_table(kind: str, key: str, table: str, takes: str, study: Study, locate: Locate) -> None:
    """Whether a source of the study makes the table that a key of a question names, of the kind that it takes.

    Raises
    ------
    InputError
    """
    tables = study.tables()
    if is_of_kind(tables.get(table), takes):
        return
    fitting = [one for one, found in tables.items() if is_of_kind(found, takes)]
    kinds = takes.replace("_", " ")
    what = f'{kind} needs a source of {kinds}, and "{table}" is not one'
    raise InputError(locate(key), what, nearest(table, fitting) if fitting else f"add a source of {kinds}")


def check_bounds(bounds: object, methods: tuple[str, ...], source: str, study: Study, locate: Locate) -> None:
    """Whether scores have known bounds where a method rests on them.

    Raises
    ------
    InputError
    """
    made = study.sources.get(source)
    if "pbp_known_bounds" in methods and not bounds and not (made is not None and made.known_bounds()):
        hint = "bounds: {environment: [least, greatest], ...}"
        raise InputError(locate("methods"), "pbp_known_bounds has no bounds", hint)


def _check_best_of_candidates(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are as many trials as candidates."""
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials) or "candidates" not in settings.model_fields_set:
        return
    most, largest = max(settings.candidates), max(number for *_, number in source.rows())
    if most > largest:
        what = f"the best of {most} trials needs more than the {largest} trials of any pair"
        where = locate("candidates", others=[["sources", settings.source, "trials"]])
        raise InputError(where, what, "fewer candidates, or more trials")


def _check_coverage(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether the pool is as large as its data sets, and there are bounds where a method rests on them."""
    check_bounds(settings.bounds, settings.methods, settings.source, study, locate)
    if not isinstance(settings.datasets, int) and len(settings.datasets) != len(settings.sizes):
        what = f"{len(settings.datasets)} numbers for {len(settings.sizes)} sizes"
        where = locate("datasets", others=[["questions", name, "sizes"]])
        raise InputError(where, what, "one for all, or one for each size")
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials):
        return
    trials = [["sources", settings.source, "trials"]]
    fewest = min(number for *_, number in source.rows())
    if max(settings.sizes) > fewest:
        what = f"data sets of {max(settings.sizes)} trials are more than the {fewest} trials of the pool"
        raise InputError(locate("sizes", others=trials), what, "smaller sizes, or more trials of the pool")
    needed = runs_of_all_datasets(settings.sizes, settings.datasets)
    if settings.design == "cut" and needed > fewest:
        what = f"{needed} trials are needed to cut all data sets, and the pool has {fewest}"
        others = [*trials, *(["questions", name, key] for key in ("datasets", "sizes"))]
        raise InputError(locate("design", others=others), what, "more trials of the pool, or design: resample")


def _check_exploits(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are the random policies that it names, in all environments of its runs."""
    if settings.policies is None:
        return
    check_table(settings.kind, "policies", settings.policies, "random_policies", study, locate)
    policies, runs = study.sources.get(settings.policies), study.sources.get(settings.source)
    played = study.sources.get(policies.like) if isinstance(policies, RandomPolicies) else None
    if not isinstance(played, Trials) or not isinstance(runs, Trials):
        return
    for environment in runs.environments:
        if environment not in played.environments:
            what = f'"{settings.policies}" has no random policies in {environment}'
            raise InputError(locate("policies"), what, f"like: {settings.source} in sources.{settings.policies}")


def _check_game_intervals(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are bounds where a method rests on them."""
    check_bounds(settings.bounds, settings.methods, settings.source, study, locate)


def _check_game_scores(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether its scale is one of payoffs, of the very runs that are asked about."""
    scale = study.scales.get(settings.scale)
    of_pairs = [name for name, one in study.scales.items() if one.of_pairs]
    if scale is None or not scale.of_pairs:
        what = f'"{settings.scale}" is not a scale of performance percentiles'
        raise InputError(locate("scale"), what, nearest(settings.scale, of_pairs))
    if scale.source != settings.source:
        what = f'"{settings.scale}" is of the source "{scale.source}", and "{settings.source}" is asked about'
        fitting = [name for name in of_pairs if study.scales[name].source == settings.source]
        hint = ", ".join(fitting) or f"a scale {{kind: performance_percentile, source: {settings.source}}}"
        raise InputError(locate("scale", others=[["scales", settings.scale, "source"]]), what, hint)


def _check_sample_distributions(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether the algorithm and the environment are simulated."""
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials):
        return
    for key, chosen, known in (
        ("algorithm", settings.algorithm, source.algorithms),
        ("environment", settings.environment, source.environments),
    ):
        if chosen not in known:
            what = f'"{chosen}" is not simulated in this study'
            raise InputError(locate(key), what, f"one of {', '.join(known)}; or {name}: null")


def _check_tuning(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are as many draws of hyperparameters, and runs of each, as one tuning takes."""
    source = study.sources.get(settings.source)
    if not isinstance(source, SameHyperparameters):
        return
    if settings.candidates > source.hyperparameters:
        what = f"{settings.candidates} candidates are more than the {source.hyperparameters} draws that are run"
        where = locate("candidates", others=[["sources", settings.source, "hyperparameters"]])
        raise InputError(where, what, "fewer candidates, or more hyperparameters of the source")
    needed = settings.tuning_runs + settings.reported_runs
    if needed > source.runs:
        what = f"{needed} runs of a candidate are more than the {source.runs} that each draw has"
        others = [["questions", name, "reported_runs"], ["sources", settings.source, "runs"]]
        where = locate("tuning_runs", others=others)
        raise InputError(where, what, "fewer, or more runs of the source")


CHECKS: dict[str, Callable[[Any, str, Study, Locate], None]] = {
    "best_of_candidates": _check_best_of_candidates,
    "coverage": _check_coverage,
    "exploits": _check_exploits,
    "game_intervals": _check_game_intervals,
    "game_scores": _check_game_scores,
    "sample_distributions": _check_sample_distributions,
    "tuning": _check_tuning,
}
"""What one kind of question alone needs of its study."""
