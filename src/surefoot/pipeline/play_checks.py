"""What can be wrong in a study of Bayesian agents, beyond what the schema says; found before any job runs."""

import math
from collections.abc import Iterator

from surefoot.bayesian import registry
from surefoot.bayesian.registry import Parameter
from surefoot.pipeline.errors import nearest, what_and_hint
from surefoot.pipeline.own_files import Mistake, file_mistakes
from surefoot.pipeline.play_jobs import source_of, sources

EXAMPLE = "see surefoot.bayesian.interfaces, and config/example_bayesian.py"


def mistakes(section: dict) -> Iterator[Mistake]:
    """All mistakes of the section ``bayesian`` of a study."""
    yield from _distributions(section)
    yield from _environments(section)
    for position, entry in enumerate(section["agents"]):
        at = ["agents", position]
        known = registry.AGENTS.get(entry["agent"])
        if "file" in entry:
            yield from file_mistakes([*at, "file"], entry["file"], ("prepare", "play"), EXAMPLE)
            if known is not None:
                yield [*at, "agent"], f'"{entry["agent"]}" is an agent of the package', "another name"
        elif known is None:
            yield [*at, "agent"], f'unknown agent "{entry["agent"]}"', nearest(entry["agent"], registry.AGENTS)
        else:
            yield from _parameters([*at, "parameters"], entry, known)
        yield from _variants([*at, "variants"], entry, () if known is None else known.variants)
        for place, name in enumerate(entry.get("environments", [])):
            if name not in section["environments"]:
                where = [*at, "environments", place]
                yield where, f'"{name}" is no environment of this study', nearest(name, section["environments"])
    yield from _run_table(section)


def _run_table(section: dict) -> Iterator[Mistake]:
    """Whether any algorithm plays everywhere: only those that do are in the run table."""
    played = {}
    for entry in section["agents"]:
        if section["variants"][0] in entry.get("variants", section["variants"]):
            places = entry.get("environments", section["environments"])
            played.setdefault(entry["agent"], set()).update(places)
    missing = {name: [place for place in section["environments"] if place not in played[name]] for name in played}
    if missing and all(missing.values()):
        nearest_one = min(missing, key=lambda name: len(missing[name]))
        what = f"no algorithm plays in all environments; {nearest_one} lacks {', '.join(missing[nearest_one])}"
        yield ["agents"], what, "let one play everywhere, or name fewer environments"
    elif not missing:
        what = f"no agent has the study's first variant, {section['variants'][0]}"
        yield ["variants"], what, "put first what the run table shall have"


def _distributions(section: dict) -> Iterator[Mistake]:
    for name, given in section["distributions"].items():
        at = ["distributions", name]
        if name in registry.EXPERIMENTS or name in registry.CASES:
            yield at, f'"{name}" is a name of the package', "another name"
        sources_given = [key for key in ("table", "file") if key in given]
        numbers = "pseudo_counts" in given or "rewards" in given
        if len(sources_given) + numbers != 1:
            yield at, "one of table, file, and pseudo_counts with rewards must be given", "choose one"
        elif "file" in given and (found := list(file_mistakes([*at, "file"], given["file"], (name,), EXAMPLE))):
            yield from found
        elif numbers and not {"pseudo_counts", "rewards"} <= given.keys():
            yield at, "pseudo_counts and rewards belong together", "give both"
        else:
            yield from _own_numbers(section, at, name)


def _own_numbers(section: dict, at: list, name: str) -> Iterator[Mistake]:
    """Whether what the user gives is a distribution."""
    from surefoot.bayesian.cells import distribution_of

    try:
        distribution_of(source_of(section, name))
    except (ValueError, OSError) as error:
        yield _told(at, error)
    except Exception as error:  # whatever a user's own function may raise
        if "file" not in section["distributions"][name]:
            raise
        what = f"{section['distributions'][name]['file']}: {name}() failed: {type(error).__name__}: {error}"
        yield at, what, "run it by itself first"


def _environments(section: dict) -> Iterator[Mistake]:
    tests = [*registry.EXPERIMENTS, *section["distributions"]]
    priors = [*registry.CASES, *tests]
    for position, environment in enumerate(section["environments"]):
        at = ["environments", position]
        case, _, experiment = environment.partition("/")
        if experiment not in tests:
            yield at, f'"{environment}" has no known distribution after the /', nearest(experiment, tests)
        elif case not in priors:
            yield at, f'"{environment}" has no known case before the /', nearest(case, priors)
        elif section["distributions"]:
            # Only where numbers of the user's are in play: the package's own need no look, which takes a moment.
            yield from _numbers(section, at, environment)


def _numbers(section: dict, at: list, environment: str) -> Iterator[Mistake]:
    from surefoot.bayesian.cells import Cell, problem_of

    try:
        test, prior = sources(section, environment)
        cell = registry.cell("random", {}, f"accurate/{next(iter(registry.EXPERIMENTS))}")
        problem_of(Cell(**cell | {"environment": environment, "test": test, "prior": prior}))
    except (ValueError, OSError) as error:
        yield _told(at, error)


def _told(at: list, error: Exception) -> Mistake:
    what, hint = what_and_hint(error)
    return at, what, hint or "check the path and the numbers"


def _parameters(at: list, entry: dict, known: registry.Agent) -> Iterator[Mistake]:
    given = entry.get("parameters", {})
    for name in given:
        if name not in known.parameters:
            hint = nearest(name, known.parameters) if known.parameters else f"{entry['agent']} has no parameters"
            yield [*at, name], f'{entry["agent"]} has no parameter "{name}"', hint
    for name, parameter in known.parameters.items():
        if name not in given:
            yield at[:-1], f"{entry['agent']} needs its parameter {name}", f"{name}: {_allowed(parameter)}"
        for position, value in enumerate(given.get(name, [])):
            if not _fits(value, parameter):
                yield [*at, name, position], f"{value!r} is no value of {name}", _allowed(parameter)
            elif entry["agent"] == "formula":
                yield from _formula([*at, name, position], value)


def _variants(at: list, entry: dict, known: tuple[str, ...]) -> Iterator[Mistake]:
    if "variants" in entry and not known:
        yield at, f"{entry['agent']} has no variants", "leave the key out"
    for position, name in enumerate(entry.get("variants", []) if known else []):
        if name not in known:
            yield [*at, position], f'{entry["agent"]} has no variant "{name}"', nearest(name, known)


def _formula(at: list, formula: str) -> Iterator[Mistake]:
    from surefoot.bayesian.formulas import encode

    try:
        encode(formula)
    except ValueError as error:
        yield _told(at, error)


def _fits(value: object, parameter: Parameter) -> bool:
    if parameter.kind == "name":
        return isinstance(value, str)
    number = isinstance(value, int) or (parameter.kind == "real" and isinstance(value, float))
    return number and parameter.low <= value <= parameter.high


def _allowed(parameter: Parameter) -> str:
    if parameter.kind == "name":
        return "a text"
    kind = "whole number" if parameter.kind == "whole" else "number"
    limits = (
        f"of {parameter.low:g} or more"
        if parameter.high == math.inf
        else f"from {parameter.low:g} to {parameter.high:g}"
    )
    return f"a {kind} {limits}"
