"""What can be wrong with the algorithms and environments that a study simulates, and with a user's Python files, which
are read and not run; found before any job runs."""

import ast
import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

from surefoot.build.errors import nearest
from surefoot.build.fingerprint import module_path
from surefoot.configuration.models import Study
from surefoot.configuration.validation_errors import SettingError, check_known, within
from surefoot.simulation import registry
from surefoot.simulation.registry import PYTHON
from surefoot.sources.repeated_runs import RandomPolicies, SameHyperparameters
from surefoot.sources.trials import Trials, smallest_of

EXAMPLE = "see surefoot.simulation.protocol, and config/example_simulation.py"
MOST_BLOCKS = 100_000
"""Blocks of a cell. Each is an entry of the store, and is planned before anything is simulated."""
FUNCTIONS = {"discrete": "tabular", "continuous": "linear", PYTHON: "run_trial"}
"""What an algorithm's module must define to learn in each kind of environment."""


def check_trials(sources: Mapping[str, Trials]) -> None:
    """Whether all that the sources of trials of a study simulate is there.

    Raises
    ------
    SettingError
        whose keys lead from the study to it
    """
    for name, source in sources.items():
        with within("sources", name):
            _check_source(source)
            _check_blocks(source)
    known = list(dict.fromkeys(part for source in sources.values() for row in source.rows() for part in row[:3]))
    for name, source in sources.items():
        for key in ("trials_of", "block_of"):
            for chosen in getattr(source, key):
                if chosen not in (*registry.ALGORITHMS, *registry.ENVIRONMENTS):
                    what = "neither algorithm nor environment of this study"
                    check_known(chosen, known, ["sources", name, key, chosen], what)


def check_protocols(study: Study) -> None:
    """Whether what is simulated beside trials is of a source of trials, and of its algorithms and environments.

    Raises
    ------
    SettingError
        whose keys lead from the study to it
    """
    trials = {name: source for name, source in study.sources.items() if isinstance(source, Trials)}
    for name, source in study.sources.items():
        if not isinstance(source, SameHyperparameters | RandomPolicies):
            continue
        with within("sources", name):
            if source.like not in trials:
                what = f'"{source.like}" is not a source of trials of this study'
                raise SettingError(["like"], what, nearest(source.like, trials) if trials else "simulate trials too")
            simulated = trials[source.like]
            worlds = registry.environments(simulated.own.plain())
            played = getattr(source, "environments", None) or simulated.environments
            kinds = ("discrete",) if isinstance(source, RandomPolicies) else ("discrete", "continuous")
            for one in played:
                if one in worlds and worlds[one].kind not in kinds:
                    what = f"{one} is {worlds[one].kind}, and {source.kind} need {' or '.join(kinds)} environments"
                    raise SettingError(["kind"], what, f"another environment, or {name}: null")
            for kind in ("algorithms", "environments") if isinstance(source, SameHyperparameters) else ():
                for position, chosen in enumerate(getattr(source, kind)):
                    what = f'"{chosen}" is not simulated here; {name}: null leaves these runs out'
                    check_known(chosen, getattr(simulated, kind), [kind, position], what)


def _check_source(source: Trials) -> None:
    """Whether the package or the study defines all that is simulated, each algorithm for each kind of environment."""
    own = source.own.plain()
    algorithms, environments = registry.algorithms(own), registry.environments(own)
    for kind, known, package in (
        ("algorithms", algorithms, registry.ALGORITHMS),
        ("environments", environments, registry.ENVIRONMENTS),
    ):
        for position, chosen in enumerate(getattr(source, kind)):
            check_known(chosen, known, [kind, position], f'unknown name "{chosen}"')
        for name in own.get(kind, {}):
            if name in package:
                raise SettingError(["own", kind, name], f'"{name}" is among the {kind} of the package', "another name")
            if source.like is None and name not in getattr(source, kind):
                raise SettingError(["own", kind, name], f'"{name}" is not simulated', f"name it among the {kind} too")
    for name, environment in source.own.environments.items():
        with within("own", "environments", name, "file"):
            check_file(environment.file, ["environment"], EXAMPLE)
    for name, algorithm in source.own.algorithms.items():
        kinds = {environments[place].kind for place in source.environments if name in source.algorithms}
        with within("own", "algorithms", name, "file"):
            check_file(algorithm.file, [FUNCTIONS[kind] for kind in sorted(kinds)], EXAMPLE)
    for name in source.algorithms:
        defined = defined_functions(module_path(algorithms[name].module))
        for place in source.environments:
            function = FUNCTIONS[kind := environments[place].kind]
            if function not in defined:
                what = f'"{name}" has no definition for {kind} environments such as {place}'
                hint = f"other environments, or a function {function} in {algorithms[name].module}"
                raise SettingError(["algorithms"], what, hint)


def _check_blocks(source: Trials) -> None:
    """Whether the trials of each cell are few enough blocks to be planned."""
    for _, environment, cell, trials in source.rows():
        size = smallest_of(source.block, source.block_of, cell, environment)
        if trials > size * MOST_BLOCKS:
            what = f"{trials:,} trials of {cell} in {environment} are {-(-trials // size):,} blocks of {size:,}"
            raise SettingError(
                ["block"], what, f"at least {-(-trials // MOST_BLOCKS):,}, for at most {MOST_BLOCKS:,} blocks"
            )


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


def check_file(file: str, functions: Iterable[str], example: str) -> None:
    """Whether a Python file is there and defines functions of these names.

    example : where such functions are shown

    Raises
    ------
    SettingError
    """
    if not file.endswith(".py") or not Path(file).is_file():
        hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
        raise SettingError([], f"{file}: no such Python file", hint)
    try:
        defined = defined_functions(Path(file))
    except SyntaxError as error:
        what = f"{file}: not valid Python, line {error.lineno}: {error.msg}"
        raise SettingError([], what, "run it by itself first") from None
    except UnicodeDecodeError as error:
        raise SettingError([], f"{file}: byte {error.start} is not valid UTF-8", "save it as UTF-8") from None
    for name in functions:
        if name not in defined:
            raise SettingError([], f'{file}: no function "{name}"', example)
