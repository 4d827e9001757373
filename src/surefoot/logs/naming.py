"""Which algorithm, environment and run a curve is of: by a pattern of its path, by keys of its configuration, by what
its files tell, or by what the user says of all."""

import re
from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from surefoot.build.errors import InputError, nearest
from surefoot.errors import shown
from surefoot.logs.curves import Notes
from surefoot.logs.paths import COUNTED, Guess, guess

NAMES = ("algorithm", "environment", "run")
FIELDS = ("algorithm", "environment", "seed", "run")
"""What a pattern may name; seed and run are one."""
USUAL_KEYS: Mapping[str, Sequence[str]] = {
    "algorithm": (
        *("algorithm", "algorithm.name", "algorithm_name", "algo", "algo.name", "algo_name", "agent", "agent.name"),
        *("agent_name", "alg", "alg.name", "system.system_name", "system.name", "method", "exp_name"),
    ),
    "environment": (
        *("env_id", "env", "env.id", "env.name", "env.env_id", "env.env_name", "environment", "environment.name"),
        *("environment.id", "env_name", "task", "task.name", "task_name", "env.scenario.task_name"),
    ),
    "run": ("seed", "random_seed", "training.seed", "train.seed", "experiment.seed", "arch.seed", "agent.seed"),
}
"""Keys of configurations that tell names, in the order in which they are looked up."""
EXAMPLE = "{environment}__{algorithm}__{seed}__{}"
_EXAMPLES = 3


class Naming(NamedTuple):
    """What the user says of names.

    pattern : of the ends of paths, or None
    keys : dotted keys of configurations, by what they tell
    fixed : names that hold for all runs
    """

    pattern: re.Pattern[str] | None
    keys: Mapping[str, str]
    fixed: Mapping[str, str]


def names_alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that differ in case and in what is neither a letter nor a digit, such as PPO and ppo."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(re.sub(r"[\W_]", "", name).casefold() or name, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern such as ``{environment}__{algorithm}__{seed}__{}`` as a regular expression of the ends of paths.

    A field is a part of the name of one folder or file and takes as much as it can, so names are split from the right;
    ``{}`` is left aside. Beside a dash, an environment ends with its version where the names allow it, as in
    ``ppo-Ant-v4-1`` by ``{algorithm}-{environment}-{seed}``. A name that spans folders is written as often as it has
    parts: ``{environment}/{environment}__{algorithm}__{seed}__{}`` for ``ALE/Pong-v5__dqn__1__1700000000``.

    Raises
    ------
    InputError
        where it is no pattern, or names something unknown
    """
    try:
        parts = list(Formatter().parse(pattern))
    except ValueError as error:
        raise InputError("pattern", f'"{pattern}" is no pattern: {error}', f'such as "{EXAMPLE}"') from None
    dashed = "-{environment}" in pattern or "{environment}-" in pattern
    counted: dict[str, int] = {}
    written = versioned = ""
    for text, name, specification, conversion in parts:
        written, versioned = written + re.escape(text), versioned + re.escape(text)
        if name is None:
            continue
        if name and (name not in FIELDS or specification or conversion):
            raise InputError("pattern", f'"{{{name}}}" is not known', nearest(name, FIELDS))
        counted[name] = counted.get(name, 0) + 1
        written += f"(?P<{name}_{counted[name]}>[^/]+)" if name else "[^/]+"
        version = r"-v\d+" if name == "environment" else ""
        versioned += f"(?P<{name}_v{counted[name]}>[^/]+{version})" if name else "[^/]+"
    if not counted.keys() & set(FIELDS):
        raise InputError("pattern", f'"{pattern}" names nothing', f'such as "{EXAMPLE}"')
    if {"seed", "run"} <= counted.keys():
        raise InputError(
            "pattern", f'"{pattern}" names the run twice, by seed and by run', "one of them, {} for the other"
        )
    return re.compile(f"(?:.*/)?(?:{versioned}|{written})" if dashed else f"(?:.*/)?{written}")


def matched(pattern: re.Pattern[str], place: str) -> dict[str, str] | None:
    """The names in a path, or None where the pattern does not match it."""
    match = pattern.fullmatch(place)
    if match is None:
        return None
    found: dict[str, str] = {}
    for group, text in match.groupdict().items():
        if text is None:  # of the other alternative
            continue
        name = {"seed": "run"}.get(group.rpartition("_")[0], group.rpartition("_")[0])
        found[name] = f"{found[name]}/{text}" if name in found else text
    return found


def looked_up(config: Mapping[str, Any], key: str) -> str | None:
    """The text or number at a dotted key of a configuration, nested or flat; None where there is none."""
    if key in config:
        found = config[key]
        if isinstance(found, Mapping) and "value" in found:  # as Weights & Biases keeps it
            found = found["value"]
    else:
        first, _, rest = key.partition(".")
        inner = config.get(first)
        if isinstance(inner, Mapping) and "value" in inner and isinstance(inner["value"], Mapping):
            inner = inner["value"]
        return looked_up(inner, rest) if rest and isinstance(inner, Mapping) else None
    is_name = isinstance(found, str | int) and not isinstance(found, bool) and str(found).strip()
    return str(found) if is_name else None


def names_of(
    naming: Naming, place: str, told: Mapping[str, str], config: Mapping[str, Any], around: Mapping[str, Any]
) -> dict[str, str]:
    """The names of a curve as far as they can be told: what the user says first, then what its files tell, then their
    configuration, then Hydra's around them (whose user chose the keys, and whose folders bear no names)."""
    said = (matched(naming.pattern, place) or {}) if naming.pattern else {}
    found: dict[str, str] = {}
    for name in NAMES:
        candidates = [naming.fixed.get(name), said.get(name)]
        configurations = [source for source in (config, around) if source]
        if key := naming.keys.get(name):
            candidates += [looked_up(source, key) for source in configurations]
        candidates.append(told.get(name))
        candidates += [looked_up(source, usual) for source in configurations for usual in USUAL_KEYS[name]]
        if (value := next((one for one in candidates if one is not None), None)) is not None:
            found[name] = value
    return found


def plain_run(name: str) -> str:
    """``seed_3`` and ``run-03`` as the number that they are; any other name as it is."""
    match = COUNTED.fullmatch(name)
    return str(int(match[2])) if match else name


def named_by_paths(
    places: Sequence[str], names: Sequence[Mapping[str, str]], notes: Notes
) -> Mapping[str, Mapping[str, str]]:
    """What the paths of runs that lack a name say, by path, where their parts show which is which; else nothing.

    Parameters
    ----------
    places : paths of runs, each once
    names : what is known of each
    """
    found = tried(places, names)
    if found is None or not found.certain:
        return {}
    notes.remark(f'names are read from the paths as --pattern "{found.pattern}" reads them')
    return dict(zip(places, found.names, strict=True))


def tried(places: Sequence[str], names: Sequence[Mapping[str, str]]) -> Guess | None:
    """A pattern that may be meant, where it reads in all paths what it should."""
    found = guess(places, names)
    if found is None:
        return None
    pattern = compiled(found.pattern)
    return (
        found if all(matched(pattern, place) == own for place, own in zip(places, found.names, strict=True)) else None
    )


def refuse_unmatched(places: Sequence[str], pattern: re.Pattern[str], text: str) -> None:
    """Raise an InputError that shows paths that the pattern does not match."""
    unmatched = [place for place in places if matched(pattern, place) is None]
    if unmatched:
        paths = f"{len(unmatched):,} path{'' if len(unmatched) == 1 else 's'}"
        what = f'the pattern "{text}" does not match {paths}, such as {_shown(unmatched)}'
        found = tried(places, [{}] * len(places))
        hint = "leave --pattern out where the files tell the names, or say how the paths are made"
        raise InputError("pattern", what, f'{hint}, such as --pattern "{found.pattern}"' if found else hint)


def refuse_unnamed(where: str, lacking: str, places: Sequence[str], names: Sequence[Mapping[str, str]]) -> None:
    """Raise an InputError that shows paths of runs whose names cannot be told, and the pattern to give.

    Parameters
    ----------
    lacking : what cannot be told: algorithm or environment
    places : paths of the runs that lack it, each once
    names : what is known of each
    """
    what = f"the {lacking} of {len(places):,} runs cannot be told from their files, such as {_shown(places)}"
    found = tried(places, names)
    usual = "say how the paths are made by --pattern, with {algorithm}, {environment} and {seed} for the parts that "
    hint = usual + "name them and {} for the rest"
    if found is not None:
        hint = f'say how the paths are made, such as --pattern "{found.pattern}"'
        told = {name for own in (*names, *found.names) for name in own}
        others = [f"--{name} NAME" for name in ("algorithm", "environment") if name not in told]
        if others:
            raise InputError(where, what, " ".join([hint, "with", *others]))
    raise InputError(where, what, f"{hint}; --{lacking} NAME where all runs have the same")


def _shown(places: Sequence[str]) -> str:
    return ", ".join(shown(place) for place in places[:_EXAMPLES])
