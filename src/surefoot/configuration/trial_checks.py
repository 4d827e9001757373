"""What can be wrong with the algorithms and environments that a study simulates; found before any job runs."""

from collections.abc import Iterator, Mapping

from surefoot.build.errors import InputError, nearest
from surefoot.build.fingerprint import module_path
from surefoot.configuration.models import Study
from surefoot.configuration.own_files import Mistake, defined_functions, file_mistakes
from surefoot.configuration.places import Locate
from surefoot.simulation import registry
from surefoot.simulation.registry import PYTHON
from surefoot.sources.repeated_runs import RandomPolicies, SameHyperparameters
from surefoot.sources.trials import Trials as Settings

EXAMPLE = "see surefoot.simulation.protocol, and config/example_simulation.py"
FUNCTIONS = {"discrete": "tabular", "continuous": "linear", PYTHON: "run_trial"}
"""What an algorithm's module must define to learn in each kind of environment."""


def check_trials(sources: Mapping[str, Settings], locate: Locate) -> None:
    """Whether all that is simulated is there.

    Raises
    ------
    InputError
    """
    for check in (_unknown_names, _own):
        for name, source in sources.items():
            for at, what, hint in check(source):
                raise InputError(locate("sources", name, *at), what, hint)
    for name, source in sources.items():
        _check_definitions(source, name, locate)
    known = list(dict.fromkeys(part for source in sources.values() for row in source.rows() for part in row[:3]))
    for name, source in sources.items():
        for key in ("trials_of", "block_of"):
            for chosen in getattr(source, key):
                if chosen not in known and chosen not in (*registry.ALGORITHMS, *registry.ENVIRONMENTS):
                    where = locate("sources", name, key, chosen)
                    raise InputError(where, "neither algorithm nor environment of this study", nearest(chosen, known))


def check_protocols(study: Study, trials: Mapping[str, Settings], locate: Locate) -> None:
    """Whether what is simulated beside trials is of a source of trials, and of its algorithms and environments.

    Raises
    ------
    InputError
    """
    for name, source in study.sources.items():
        if not isinstance(source, SameHyperparameters | RandomPolicies):
            continue
        if source.like not in trials:
            where, what = locate("sources", name, "like"), f'"{source.like}" is not a source of trials of this study'
            raise InputError(where, what, nearest(source.like, trials) if trials else "simulate trials too")
        worlds = registry.environments(trials[source.like].own.plain())
        played = getattr(source, "environments", None) or trials[source.like].environments
        if plain := [one for one in played if one in worlds and worlds[one].kind == PYTHON]:
            what = f"{plain[0]} is of kind python, and {source.kind} are compiled"
            raise InputError(locate("sources", name, "kind"), what, f"another environment, or {name}: null")
        if isinstance(source, SameHyperparameters):
            for kind in ("algorithms", "environments"):
                known = getattr(trials[source.like], kind)
                for position, chosen in enumerate(getattr(source, kind)):
                    if chosen not in known:
                        what = f'"{chosen}" is not simulated in this study'
                        hint = f"one of {', '.join(known)}; or {name}: null, and no question of it"
                        raise InputError(locate("sources", name, kind, position), what, hint)


def _unknown_names(source: Settings) -> Iterator[Mistake]:
    """Names that neither the package nor the study defines."""
    own = source.own.plain()
    for kind, known in (("algorithms", registry.algorithms(own)), ("environments", registry.environments(own))):
        for position, chosen in enumerate(getattr(source, kind)):
            if chosen not in known:
                yield [kind, position], f'unknown name "{chosen}"', nearest(chosen, known)


def _own(source: Settings) -> Iterator[Mistake]:
    """All mistakes of the study's own algorithms and environments."""
    own = source.own.plain()
    for kind, package in (("algorithms", registry.ALGORITHMS), ("environments", registry.ENVIRONMENTS)):
        for name in own.get(kind, {}):
            at = ["own", kind, name]
            if name in package:
                yield at, f'"{name}" is among the {kind} of the package', "another name"
            elif source.like is None and name not in getattr(source, kind):
                yield at, f'"{name}" is not simulated', f"name it among the {kind} too"
    for name, environment in source.own.environments.items():
        at = ["own", "environments", name]
        yield from file_mistakes([*at, "file"], environment.file, ("environment",), EXAMPLE)
    worlds = registry.environments(own)
    for name, algorithm in source.own.algorithms.items():
        kinds = {worlds[place].kind for place in source.environments if name in source.algorithms and place in worlds}
        functions = [FUNCTIONS[kind] for kind in sorted(kinds)]
        yield from file_mistakes(["own", "algorithms", name, "file"], algorithm.file, functions, EXAMPLE)


def _check_definitions(source: Settings, name: str, locate: Locate) -> None:
    """Every algorithm needs a definition for every kind of environment that it is to run in."""
    own = source.own.plain()
    algorithms, environments = registry.algorithms(own), registry.environments(own)
    for algorithm in source.algorithms:
        defined = defined_functions(module_path(algorithms[algorithm].module))
        for environment in source.environments:
            kind = environments[environment].kind
            if FUNCTIONS[kind] not in defined:
                where = locate("sources", name, "algorithms")
                what = f'"{algorithm}" has no definition for {kind} environments such as {environment}'
                hint = f"other environments, or a function {FUNCTIONS[kind]} in {algorithms[algorithm].module}"
                raise InputError(where, what, hint)
