"""What can be wrong in a study of Bayesian agents, beyond what the schema says; checked before any job runs."""

import re
from typing import Any

from surefoot.bayesian import registry
from surefoot.bayesian.registry import Agent
from surefoot.configuration.sections import NAME_HINT, NAME_PATTERN
from surefoot.configuration.trial_checks import check_file
from surefoot.configuration.validation_errors import SettingError, check_known, within
from surefoot.errors import HintedError, shortened
from surefoot.sources.plays import OwnDistribution, PlayingAgent, Plays

EXAMPLE = "see surefoot.bayesian.trajectories, and config/example_bayesian.py"

_KINDS: dict[str, tuple[Any, str, float]] = {
    "name": (str, "a text", 0.0),
    "whole": (int, "a whole number", 10_000_000),
    "real": (int | float, "a number", 1e100),
}
"""By the kind of a parameter the type of its values, what it is called, and the largest value of one without a limit of
its own: beyond are endless loops, too little memory, and infinite values. They are not in the registry, since that is
in the fingerprint of every score."""


def check_plays(source: Plays) -> None:
    """Whether all that is played is there and can be computed with.

    Raises
    ------
    SettingError
        whose keys lead from the source to it
    """
    for name, given in source.distributions.items():
        with within("distributions", name):
            _check_distribution(source, name, given)
    for position, environment in enumerate(source.environments):
        with within("environments", position):
            _check_environment(source, environment)
    files: dict[str, str] = {}
    for position, entry in enumerate(source.agents):
        with within("agents", position):
            name, file = entry.agent, entry.file
            if (other := files.get(name, file)) != file:
                key, hint = ("file", "another name, or the same file") if file else ("agent", "name the file here too")
                raise SettingError([key], f'"{name}" is of the file {other} above', hint)
            if file is not None:
                files[name] = file
                if not re.fullmatch(NAME_PATTERN, name):
                    raise SettingError(["agent"], f"{name!r} is not a name for an agent", NAME_HINT)
                if name in registry.AGENTS:
                    raise SettingError(["agent"], f'"{name}" is an agent of the package', "another name")
                with within("file"):  # which is not run: that may take long
                    check_file(file, ("prepare", "play"), EXAMPLE)
            else:
                check_known(name, registry.AGENTS, ["agent"], f'unknown agent "{name}"')
                _check_parameters(entry, registry.AGENTS[name])
            variants = () if file else registry.AGENTS[name].variants
            if entry.variants and not variants:
                raise SettingError(["variants"], f"{name} has no variants", "leave the key out")
            for place, variant in enumerate(entry.variants or ()):
                check_known(variant, variants, ["variants", place], f'{name} has no variant "{variant}"')
            for place, one in enumerate(entry.environments or ()):
                what = f'"{one}" is not an environment of this study'
                check_known(one, source.environments, ["environments", place], what)


def _check_distribution(source: Plays, name: str, given: OwnDistribution) -> None:
    """Whether a distribution of the user's is given in one way, and is one; a function of theirs is run."""
    from surefoot.bayesian.cells import distribution_of
    from surefoot.bayesian.distributions import Distribution, from_arrays

    if name in registry.EXPERIMENTS or name in registry.CASES:
        raise SettingError([], f'"{name}" is a name of the package', "another name")
    numbers = [given.pseudo_counts, given.rewards]
    if sum((given.table is not None, given.file is not None, numbers != [None, None])) != 1:
        raise SettingError([], "one of table, file, and pseudo_counts with rewards must be given", "choose one")
    if given.file is None:
        if given.table is None and None in numbers:
            raise SettingError([], "pseudo_counts and rewards belong together", "give both")
        try:
            distribution_of(source.distribution(name))
        except OverflowError:
            raise SettingError([], "a number is too large", "rewards and pseudo-counts of usual size") from None
        return
    with within("file"):
        check_file(given.file, [name], EXAMPLE)
    function = f"{given.file}: {name}()"
    try:
        result = distribution_of(source.distribution(name))
        if not isinstance(result, Distribution):
            what = f"it returns a {type(result).__name__}, no Distribution"
            raise HintedError("", what, "return what surefoot.bayesian.distributions.from_arrays makes")
        from_arrays(*result)
    except HintedError as error:  # of from_arrays, here or in the function
        raise SettingError([], f"{function}: {error.sentence}", error.hint) from None
    except (Exception, SystemExit) as error:  # whatever a user's own function may raise
        said = shortened(" ".join(str(error).split()))
        what = f"{function} failed: {type(error).__name__}{said and f': {said}'}"
        raise SettingError([], what, "run it by itself first") from None


def _check_environment(source: Plays, environment: str) -> None:
    """Whether an environment's distributions are there and go together."""
    tests = [*registry.EXPERIMENTS, *source.distributions]
    case, experiment = registry.case_and_experiment(environment)
    check_known(experiment, tests, [], f'"{environment}" has no known distribution after the /')
    check_known(case, [*registry.CASES, *tests], [], f'"{environment}" has no known case before the /')
    if case not in registry.CASES or experiment in source.distributions:
        # The package's own with their usual priors need no look, which takes a moment.
        from surefoot.bayesian.cells import Cell, problem_of

        test, prior = source.distributions_of(environment)
        cell: dict[str, Any] = registry.cell("random", {}, f"accurate/{next(iter(registry.EXPERIMENTS))}")
        problem_of(Cell(**cell | {"environment": environment, "test": test, "prior": prior}))


def _check_parameters(entry: PlayingAgent, agent: Agent) -> None:
    """Whether an agent of the package is given all of its parameters, and no others, within their limits."""
    for name in entry.parameters:
        what = f'{entry.agent} has no parameter "{name}"'
        check_known(name, agent.parameters, ["parameters", name], what)
    for name, parameter in agent.parameters.items():
        types, noun, largest = _KINDS[parameter.kind]
        high = min(parameter.high, largest)
        allowed = noun if types is str else f"{noun} from {parameter.low:g} to {high:.8g}"
        if name not in entry.parameters:
            raise SettingError([], f"{entry.agent} needs its parameter {name}", f"{name}: {allowed}")
        for position, value in enumerate(entry.parameters[name]):
            keys = ("parameters", name, position)
            if not isinstance(value, types) or not (isinstance(value, str) or parameter.low <= value <= high):
                raise SettingError(keys, f"{value!r} is not a value of {name}", allowed)
            if entry.agent == "formula":
                from surefoot.bayesian.formulas import encode

                with within(*keys):
                    encode(str(value))
