"""What can be wrong in a study of Bayesian agents, beyond what the schema says; checked before any job runs."""

import re
from typing import TYPE_CHECKING, Any

from surefoot.bayesian import registry
from surefoot.bayesian.registry import Agent
from surefoot.configuration.sections import NAME_HINT, NAME_PATTERN
from surefoot.configuration.trial_checks import check_file
from surefoot.configuration.validation_errors import SettingError, check_known, within
from surefoot.errors import HintedError, shortened
from surefoot.sources.plays import OwnDistribution, PlayingAgent, Plays

if TYPE_CHECKING:
    from surefoot.bayesian.distributions import Distribution

EXAMPLE = "see surefoot.bayesian.trajectories, and config/example_bayesian.py"

RIGHT_RESULT = "return what surefoot.bayesian.distributions.from_arrays makes"
LEAST_COUNT, LARGEST_COUNT = 1e-6, 1e12
LARGEST_REWARD = 1e100
"""What pseudo-counts but 0, and rewards in size, may be in a distribution of one's own; see `_check_sizes`."""

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
    _check_run_table(source)


def _check_run_table(source: Plays) -> None:
    """Whether any algorithm plays everywhere: only those that do are in the run table."""
    played: dict[str, set[str]] = {}
    for entry in source.agents:
        if source.variants[0] in (entry.variants or source.variants):
            played.setdefault(entry.agent, set()).update(entry.environments or source.environments)
    if not played:
        what = f"no agent has the study's first variant, {source.variants[0]}"
        raise SettingError(["variants"], what, "put first what the run table shall have")
    missing = {name: [one for one in source.environments if one not in places] for name, places in played.items()}
    if all(missing.values()):
        best = min(missing, key=lambda name: len(missing[name]))
        what = f"no algorithm plays in all environments; {best} lacks {', '.join(missing[best])}"
        raise SettingError(["agents"], what, "let one play everywhere, or name fewer environments")


def _check_distribution(source: Plays, name: str, given: OwnDistribution) -> None:
    """Whether a distribution of the user's is given in one way, and is one; a function of theirs is run."""
    import numpy as np

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
            _check_sizes(distribution_of(source.distribution(name)))
        except OverflowError:
            raise SettingError([], "a number is too large", "rewards and pseudo-counts of usual size") from None
        return
    with within("file"):
        check_file(given.file, [name], EXAMPLE)
    if given.initial_state != 0:
        what = f"{given.initial_state} is without effect beside file"
        raise SettingError(["initial_state"], what, "leave it out: the function returns it")
    function = f"{given.file}: {name}()"
    try:
        result = distribution_of(source.distribution(name))
        if not isinstance(result, Distribution):
            raise HintedError("", f"it returns a {type(result).__name__}, no Distribution", RIGHT_RESULT)
        made = from_arrays(*result)
        if any(np.asarray(one).dtype != np.asarray(other).dtype for one, other in zip(result, made, strict=True)):
            raise HintedError("", "it returns a Distribution that from_arrays has not made", RIGHT_RESULT)
        _check_sizes(made)
        again = distribution_of(source.distribution(name))
        pairs: Any = zip(result, again, strict=True)
        if not all(np.array_equal(one, other) for one, other in pairs):
            hint = "every process calls it anew: give a random generator in it a fixed seed"
            raise HintedError("", "two calls return two distributions", hint)
    except HintedError as error:  # of from_arrays, here or in the function
        raise SettingError([], f"{function}: {error.sentence}", error.hint) from None
    except (Exception, SystemExit) as error:  # whatever a user's own function may raise
        said = shortened(" ".join(str(error).split()))
        what = f"{function} failed: {type(error).__name__}{said and f': {said}'}"
        raise SettingError([], what, "run it by itself first") from None


def _check_sizes(distribution: "Distribution") -> None:
    """Whether the numbers of a distribution can be computed with.

    With smaller pseudo-counts draws of the Dirichlet distribution all but never end, with larger ones an observation is
    lost to rounding; squares of rewards stay finite.

    Raises
    ------
    HintedError
    """
    counts, rewards, _ = distribution
    right_counts = f"0 for what is impossible, else from {LEAST_COUNT:g} to {LARGEST_COUNT:g}"
    for name, numbers, wrong, hint in (
        ("pseudo_counts", counts, (counts > 0.0) & ((counts < LEAST_COUNT) | (counts > LARGEST_COUNT)), right_counts),
        ("rewards", rewards, abs(rewards) > LARGEST_REWARD, f"from {-LARGEST_REWARD:g} to {LARGEST_REWARD:g}"),
    ):
        if wrong.any():
            state, action, following = (int(place[0]) for place in wrong.nonzero())
            where = f"for state {state}, action {action}, next state {following}"
            raise HintedError(name, f"{numbers[state, action, following]:g} {where} is out of range", hint)


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
                if value != (plain := " ".join(str(value).split())):
                    # It would be another agent, with other random numbers, than the same formula without them.
                    raise SettingError(keys, f"{value!r} has surplus spaces", f'"{plain}"')
