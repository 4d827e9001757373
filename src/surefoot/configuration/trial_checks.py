"""What can be wrong with the algorithms and environments that a study simulates, and with a user's Python files, which
are read and not run; found before any job runs."""

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.build.errors import InputError, nearest
from surefoot.build.fingerprint import module_path
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.simulation import registry
from surefoot.simulation.registry import PYTHON
from surefoot.sources.repeated_runs import RandomPolicies, SameHyperparameters
from surefoot.sources.trials import Trials as Settings

EXAMPLE = "see surefoot.simulation.protocol, and config/example_simulation.py"
FUNCTIONS = {"discrete": "tabular", "continuous": "linear", PYTHON: "run_trial"}
"""What an algorithm's module must define to learn in each kind of environment."""
Mistake = tuple[list[Any], str, str]
"""Keys that lead to it, what is wrong, a hint."""


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


@functools.cache
def defined_functions(path: Path) -> Mapping[str, ast.FunctionDef]:
    """The functions of a file by name; the file is read and not run: that would take too long.

    Raises
    ------
    SyntaxError
    UnicodeDecodeError
    """
    tree = ast.parse(path.read_text(), filename=str(path))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def file_mistakes(at: list[Any], file: str, names: Iterable[str], example: str) -> Iterator[Mistake]:
    """All mistakes: the file must be there and define functions of these names; `example` says where such are shown."""
    if not file.endswith(".py") or not Path(file).is_file():
        yield at, f"{file}: no such Python file", f"paths are relative to {Path.cwd()}, where the workflow runs"
        return
    try:
        defined = defined_functions(Path(file))
    except SyntaxError as error:
        yield at, f"{file}: not valid Python, line {error.lineno}: {error.msg}", "run it by itself first"
        return
    except UnicodeDecodeError as error:
        yield at, f"{file}: byte {error.start} is not valid UTF-8", "save it as UTF-8"
        return
    for name in names:
        if name not in defined:
            yield at, f'{file}: no function "{name}"', example


def argument_mistakes(at: list[Any], file: str, name: str, before: int, given: Iterable[str]) -> Iterator[Mistake]:
    """Whether a function of a file, which is read and not run, can be called with these arguments by name.

    Parameters
    ----------
    at : keys that lead to the mapping of the arguments
    file, name : a Python file, and a function that it defines
    before : number of arguments that it gets by position before those
    given : names of the arguments
    """
    function = defined_functions(Path(file))[name]
    if function.decorator_list:  # which may take other arguments
        return
    arguments = function.args
    by_position = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if len(by_position) < before and arguments.vararg is None:
        yield at, f"{file}: {name} takes fewer than {before} arguments by position", "see surefoot.bayesian.interfaces"
        return
    with_default = by_position[len(by_position) - len(arguments.defaults) :]
    with_default += [
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    ]
    accepted = [*by_position[before:], *(argument.arg for argument in arguments.kwonlyargs)]
    for argument in given:
        if argument in by_position[:before] or (argument not in accepted and arguments.kwarg is None):
            hint = nearest(argument, accepted) if accepted else f"{name} takes no parameters"
            yield [*at, argument], f'{file}: {name} has no parameter "{argument}"', hint
    for argument in accepted:
        if argument not in given and argument not in with_default:
            yield at[:-1], f"{file}: {name} needs its parameter {argument}", f"parameters: {{{argument}: [...]}}"
