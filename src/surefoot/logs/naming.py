"""Which algorithm, environment and run a curve is of: by a pattern of its path, by keys of its configuration, by what
its files tell, or by what the user says of all."""

import re
from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from surefoot.build.errors import InputError, nearest
from surefoot.errors import shown

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
_BY_FOLDERS = "{algorithm}/{environment}/{seed}"
_VERSIONED = re.compile(r"-v\d+$")
"""How names of environments end."""
_ENDING = re.compile(r"(.+)([_-])((?:seed|run|s)?\d+)", re.IGNORECASE)
_COUNTED = re.compile(r"(?:seed|run|s)?[_=\-.]?(\d+)", re.IGNORECASE)


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
    ``{}`` is left aside. A name that spans folders is written as often as it has parts:
    ``{environment}/{environment}__{algorithm}__{seed}__{}`` for ``ALE/Pong-v5__dqn__1__1700000000``.

    Raises
    ------
    InputError
        where it is no pattern, or names something unknown
    """
    try:
        parts = list(Formatter().parse(pattern))
    except ValueError as error:
        raise InputError("pattern", f'"{pattern}" is no pattern: {error}', f'such as "{EXAMPLE}"') from None
    counted: dict[str, int] = {}
    written = ""
    for text, name, specification, conversion in parts:
        written += re.escape(text)
        if name is None:
            continue
        if name and (name not in FIELDS or specification or conversion):
            raise InputError("pattern", f'"{{{name}}}" is not known', nearest(name, FIELDS))
        counted[name] = counted.get(name, 0) + 1
        written += f"(?P<{name}_{counted[name]}>[^/]+)" if name else "[^/]+"
    if not counted.keys() & set(FIELDS):
        raise InputError("pattern", f'"{pattern}" names nothing', f'such as "{EXAMPLE}"')
    if {"seed", "run"} <= counted.keys():
        raise InputError(
            "pattern", f'"{pattern}" names the run twice, by seed and by run', "one of them, {} for the other"
        )
    return re.compile(f"(?:.*/)?{written}")


def matched(pattern: re.Pattern[str], place: str) -> dict[str, str] | None:
    """The names in a path, or None where the pattern does not match it."""
    match = pattern.fullmatch(place)
    if match is None:
        return None
    found: dict[str, str] = {}
    for group, text in match.groupdict().items():
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
    match = _COUNTED.fullmatch(name)
    return str(int(match[1])) if match else name


def refuse_unmatched(places: Sequence[str], pattern: str) -> None:
    """Raise an InputError that shows paths that the pattern does not match."""
    if places:
        paths = f"{len(places):,} path{'' if len(places) == 1 else 's'}"
        what = f'the pattern "{pattern}" does not match {paths}, such as {_shown(places)}'
        hint = _suggestion(places, {})
        usual = "leave --pattern out where the files tell the names, or say how the paths are made"
        raise InputError("pattern", what, usual if pattern in hint else hint)


def refuse_unnamed(where: str, lacking: str, places: Sequence[str], known: Mapping[str, str]) -> None:
    """Raise an InputError that shows paths of runs whose names cannot be told, and the pattern to give.

    Parameters
    ----------
    lacking : what cannot be told: algorithm or environment
    places : paths of the runs that lack it
    known : other names of the first of them
    """
    what = f"the {lacking} of {len(places):,} runs cannot be told from their files, such as {_shown(places)}"
    one = f"--{lacking} NAME where all runs have the same"
    raise InputError(where, what, f"{_suggestion(places, known)}; {one}")


def _shown(places: Sequence[str]) -> str:
    return ", ".join(shown(place) for place in places[:_EXAMPLES])


def _suggestion(places: Sequence[str], known: Mapping[str, str]) -> str:
    return f'say how the paths are made, such as --pattern "{_guessed(places, known)}"'


def _guessed(places: Sequence[str], known: Mapping[str, str]) -> str:
    """A pattern that fits these paths and may be meant; the user decides."""
    splits = {place.rpartition("/")[2].count("__") for place in places}
    if splits == {3}:
        return EXAMPLE
    if len({place.count("/") for place in places}) != 1:
        return _BY_FOLDERS
    wanted = [name for name in ("algorithm", "environment") if name not in known]
    parts: list[_Part] = [_Part("/", level) for level in zip(*(place.split("/") for place in places), strict=True)]
    parts = [piece for part in parts for piece in _split(part, "__")]
    if "run" not in known and not any(part.numbered for part in parts):
        parts = [piece for part in parts for piece in _without_number(part)]
    parts = [piece for part in parts for piece in _around_environment(part)]
    if sum(not part.numbered for part in parts) < len(wanted):
        parts = [piece for part in parts for piece in _split(part, "_")]
    fields = ["{}"] * len(parts)
    numbered = [part.numbered for part in parts]
    if "run" not in known and any(numbered):
        fields[len(parts) - 1 - numbered[::-1].index(True)] = "{seed}"
    free = [at for at in range(len(parts)) if fields[at] == "{}" and not numbered[at]]
    versioned = [at for at in free if parts[at].versioned]
    if versioned:
        if "environment" in wanted:
            fields[versioned[0]] = "{environment}"
            wanted.remove("environment")
        free.remove(versioned[0])
    varying = [at for at in free if len(set(parts[at].names)) > 1]
    chosen = varying if len(varying) >= len(wanted) else free
    if len(chosen) < len(wanted):
        return _BY_FOLDERS
    for name, at in zip(wanted, chosen, strict=False):
        fields[at] = f"{{{name}}}"
    guessed = "".join(f"{part.before}{field}" for part, field in zip(parts, fields, strict=True)).removeprefix("/")
    while guessed.startswith("{}/"):
        guessed = guessed.removeprefix("{}/")
    return guessed


class _Part(NamedTuple):
    """What stands at one place of all paths: a folder, or a piece of its name.

    before : what separates it from the part before
    names : of each path
    """

    before: str
    names: Sequence[str]

    @property
    def numbered(self) -> bool:
        return all(_COUNTED.fullmatch(name) for name in self.names)

    @property
    def versioned(self) -> bool:
        """Whether all are named as environments are."""
        return all(_VERSIONED.search(name) for name in self.names)


def _split(part: _Part, separator: str) -> list[_Part]:
    """The pieces of a part that are separated so in all its names; the part itself where their numbers differ."""
    pieces = [name.split(separator) for name in part.names]
    if len({len(own) for own in pieces}) > 1 or not all(map(all, pieces)) or part.numbered:
        return [part]
    columns = list(zip(*pieces, strict=True))
    return [_Part(separator if at else part.before, column) for at, column in enumerate(columns)]


def _around_environment(part: _Part) -> list[_Part]:
    """The pieces of a part one of which is an environment, as in ppo_Ant-v4; else the part itself."""
    pieces = _split(part, "_")
    return pieces if any(piece.versioned for piece in pieces) else [part]


def _without_number(part: _Part) -> list[_Part]:
    """A part whose names end with the number of a run, such as Ant-v4_1 and Ant-v4_2, as two; else the part itself."""
    found = [_ENDING.fullmatch(name) for name in part.names]
    matches = [match for match in found if match]
    stems, separators, counts = zip(*(match.groups() for match in matches), strict=True) if matches else ((), (), ())
    if len(matches) < len(found) or len(set(separators)) > 1 or len(set(stems)) == len(set(part.names)):
        return [part]
    return [_Part(part.before, stems), _Part(separators[0], counts)]
