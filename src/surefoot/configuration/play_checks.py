"""What can be wrong in a study of Bayesian agents, beyond what the schema says; checked before any job runs."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from surefoot.bayesian import registry
from surefoot.bayesian.registry import Parameter
from surefoot.build.errors import InputError, nearest
from surefoot.configuration.places import Locate
from surefoot.configuration.trial_checks import Mistake, argument_mistakes, defined_functions, file_mistakes
from surefoot.errors import HintedError, shortened
from surefoot.sources.plays import PlayingAgent
from surefoot.sources.plays import Plays as Settings

EXAMPLE = "see surefoot.bayesian.interfaces, and config/example_bayesian.py"


LARGEST = {"whole": 10_000_000, "real": 1e100}
"""The largest values of parameters without a limit of their own: beyond are endless loops, too little memory, and
infinite values. They are not in the registry, since that is in the fingerprint of every score."""

OWN_NAME = re.compile(r"[a-z][a-z0-9_]*")


def check_plays(source: Settings, locate: Locate) -> None:
    """Whether all that is played is there and can be computed with.

    Raises
    ------
    InputError
        for the first mistake; `locate` gives the place of a path of keys within the source
    """
    for at, what, hint in mistakes(source):
        raise InputError(locate(*at), what, hint)


def mistakes(source: Settings) -> Iterator[Mistake]:
    """All mistakes of a source of plays."""
    yield from _distributions(source)
    yield from _environments(source)
    files: dict[str, str] = {}
    for position, entry in enumerate(source.agents):
        at = ["agents", position]
        registered = registry.AGENTS.get(entry.agent)
        if entry.file is not None:
            yield from _own_agent(at, entry)
            if files.setdefault(entry.agent, entry.file) != entry.file:
                what = f'"{entry.agent}" is of the file {files[entry.agent]} above'
                yield [*at, "file"], what, "another name, or the same file"
        elif entry.agent in files:
            what = f'"{entry.agent}" is of the file {files[entry.agent]} above'
            yield [*at, "agent"], what, "name the file here too"
        elif registered is None:
            yield [*at, "agent"], f'unknown agent "{entry.agent}"', nearest(entry.agent, registry.AGENTS)
        else:
            yield from _parameters([*at, "parameters"], entry, registered)
        yield from _variants([*at, "variants"], entry, () if registered is None else registered.variants)
        for place, name in enumerate(entry.environments or ()):
            if name not in source.environments:
                where = [*at, "environments", place]
                yield where, f'"{name}" is not an environment of this study', nearest(name, source.environments)
    yield from _run_table(source)


def _own_agent(at: list[Any], entry: PlayingAgent) -> Iterator[Mistake]:
    """What can be said about a user's agent without running its file, which may take long."""
    name, file = entry.agent, str(entry.file)
    if not OWN_NAME.fullmatch(name):
        hint = "small letters, digits and underscores, beginning with a letter"
        yield [*at, "agent"], f"{name!r} is not a name for an agent", hint
    if name in registry.AGENTS:
        yield [*at, "agent"], f'"{name}" is an agent of the package', "another name"
    file_errors = list(file_mistakes([*at, "file"], file, ("prepare", "play"), EXAMPLE))
    yield from file_errors
    for function, before in (("prepare", 2), ("ready", 0)):  # prepare(problem, key, **parameters), ready(**parameters)
        if not file_errors and function in defined_functions(Path(file)):
            given = entry.parameters
            yield from argument_mistakes([*at, "parameters"], file, function, before, given)


def _run_table(source: Settings) -> Iterator[Mistake]:
    """Whether any algorithm plays everywhere: only those that do are in the run table."""
    played: dict[str, set[str]] = {}
    for entry in source.agents:
        if source.variants[0] in (entry.variants or source.variants):
            places = entry.environments or source.environments
            played.setdefault(entry.agent, set()).update(places)
    missing = {name: [place for place in source.environments if place not in played[name]] for name in played}
    if missing and all(missing.values()):
        nearest_one = min(missing, key=lambda name: len(missing[name]))
        what = f"no algorithm plays in all environments; {nearest_one} lacks {', '.join(missing[nearest_one])}"
        yield ["agents"], what, "let one play everywhere, or name fewer environments"
    elif not missing:
        what = f"no agent has the study's first variant, {source.variants[0]}"
        yield ["variants"], what, "put first what the run table shall have"


def _distributions(source: Settings) -> Iterator[Mistake]:
    for name, given in source.distributions.items():
        at = ["distributions", name]
        if name in registry.EXPERIMENTS or name in registry.CASES:
            yield at, f'"{name}" is a name of the package', "another name"
        numbers = [given.pseudo_counts, given.rewards]
        ways = (given.table is not None, given.file is not None, numbers != [None, None])
        if sum(ways) != 1:
            yield at, "one of table, file, and pseudo_counts with rewards must be given", "choose one"
        elif given.file is not None:
            file_errors = list(file_mistakes([*at, "file"], given.file, (name,), EXAMPLE))
            yield from file_errors
            if not file_errors and given.initial_state != 0:
                what = f"{given.initial_state} is without effect beside file"
                yield [*at, "initial_state"], what, "leave it out: the function returns it"
            if not file_errors:
                yield from _own_result(source, at, name)
        elif given.table is None and None in numbers:
            yield at, "pseudo_counts and rewards belong together", "give both"
        else:
            yield from _refusals(at, _check_distribution, source, name)


def _check_distribution(source: Settings, name: str) -> None:
    """Whether the numbers or the table that the user gives are a distribution."""
    from surefoot.configuration.distribution_checks import check_numbers

    check_numbers(source.distribution(name))


def _refusals(at: list[Any], check: Callable[..., object], *arguments: object) -> Iterator[Mistake]:
    """What a check that raises an error refuses."""
    try:
        check(*arguments)
    except HintedError as error:
        yield at, error.told, error.hint


def _own_result(source: Settings, at: list[Any], name: str) -> Iterator[Mistake]:
    """Whether what the user's function returns is a distribution; it is run."""
    from surefoot.configuration.distribution_checks import check_result

    function = f"{source.distributions[name].file}: {name}()"
    try:
        check_result(source.distribution(name))
    except HintedError as error:  # of from_arrays, here or in the function
        yield at, f"{function}: {error.told}", error.hint
    except (Exception, SystemExit) as error:  # whatever a user's own function may raise
        what = shortened(" ".join(str(error).split()))
        yield at, f"{function} failed: {type(error).__name__}{what and f': {what}'}", "run it by itself first"


def _environments(source: Settings) -> Iterator[Mistake]:
    tests = [*registry.EXPERIMENTS, *source.distributions]
    priors = [*registry.CASES, *tests]
    for position, environment in enumerate(source.environments):
        at = ["environments", position]
        case, experiment = registry.case_and_experiment(environment)
        if experiment not in tests:
            yield at, f'"{environment}" has no known distribution after the /', nearest(experiment, tests)
        elif case not in priors:
            yield at, f'"{environment}" has no known case before the /', nearest(case, priors)
        elif case not in registry.CASES or experiment in source.distributions:
            # The package's own with their usual priors need no look, which takes a moment.
            yield from _refusals(at, _check_problem, source, environment)


def _check_problem(source: Settings, environment: str) -> None:
    from surefoot.bayesian.cells import Cell, problem_of

    test, prior = source.distributions_of(environment)
    cell: dict[str, Any] = registry.cell("random", {}, f"accurate/{next(iter(registry.EXPERIMENTS))}")
    problem_of(Cell(**cell | {"environment": environment, "test": test, "prior": prior}))


def _parameters(at: list[Any], entry: PlayingAgent, registered: registry.Agent) -> Iterator[Mistake]:
    given = entry.parameters
    limits = {
        name: parameter._replace(high=min(parameter.high, LARGEST.get(parameter.kind, parameter.high)))
        for name, parameter in registered.parameters.items()
    }
    for name in given:
        if name not in registered.parameters:
            hint = nearest(name, registered.parameters) if registered.parameters else f"{entry.agent} has no parameters"
            yield [*at, name], f'{entry.agent} has no parameter "{name}"', hint
    for name, parameter in limits.items():
        if name not in given:
            yield at[:-1], f"{entry.agent} needs its parameter {name}", f"{name}: {_allowed(parameter)}"
        for position, value in enumerate(given.get(name, [])):
            if not _fits(value, parameter):
                yield [*at, name, position], f"{value!r} is not a value of {name}", _allowed(parameter)
            elif entry.agent == "formula":
                yield from _formula([*at, name, position], str(value))


def _variants(at: list[Any], entry: PlayingAgent, registered: tuple[str, ...]) -> Iterator[Mistake]:
    if entry.variants is not None and not registered:
        yield at, f"{entry.agent} has no variants", "leave the key out"
    for position, name in enumerate((entry.variants or ()) if registered else ()):
        if name not in registered:
            yield [*at, position], f'{entry.agent} has no variant "{name}"', nearest(name, registered)


def _formula(at: list[Any], formula: str) -> Iterator[Mistake]:
    from surefoot.bayesian.formula_tokens import token_codes

    yield from _refusals(at, token_codes, formula)
    if formula != (plain := " ".join(formula.split())):
        # It would be another agent, with other random numbers, than the same formula without them.
        yield at, f"{formula!r} has surplus spaces", f'"{plain}"'


def _fits(value: object, parameter: Parameter) -> bool:
    if parameter.kind == "name":
        return isinstance(value, str)
    if not isinstance(value, int) and not (parameter.kind == "real" and isinstance(value, float)):
        return False
    return parameter.low <= value <= parameter.high


def _allowed(parameter: Parameter) -> str:
    if parameter.kind == "name":
        return "a text"
    kind = "whole number" if parameter.kind == "whole" else "number"
    if parameter.high == LARGEST[parameter.kind]:
        return f"a {kind} of {parameter.low:g} or more, at most {parameter.high:.8g}"
    return f"a {kind} from {parameter.low:g} to {parameter.high:g}"
