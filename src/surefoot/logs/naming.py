"""Which algorithm, environment and run a curve is of: by a pattern of its path, by keys of its configuration, by what
its files tell, or by what the user says of all."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from string import Formatter
from typing import Any, NamedTuple

from surefoot.build.errors import InputError, nearest
from surefoot.errors import shown
from surefoot.logs.curves import EVALUATION_WORDS, Reading

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
CLEANRL = re.compile(r"(?P<environment>[^/]+)__(?P<algorithm>[^/]+)__(?P<run>-?\d+)__\d{9,}")
"""What CleanRL calls runs, as `EXAMPLE` reads it; the last part is a time."""
_EXAMPLES = 3
_COUNTED = re.compile(r"(?:(?:seed|run|s|version|trial)?[_=\-.]?)(\d+)", re.IGNORECASE)
"""Names of seeds and runs."""
_SEED = re.compile(r"\d{1,7}")
"""Seeds in paths; numbers with more digits are times."""
_VERSIONED = re.compile(r"(.*)-v\d+")
"""Names of environments, as Gymnasium has them."""
_NO_NAME = re.compile(
    rf"(?i)train|training|rollout|{'|'.join(EVALUATION_WORDS)}"
    r"|\d+|(?:seed|run|s|version|trial)[_=\-.]?\d+|[\d_T.:-]{8,}|(?=.*\d)[0-9a-f]{8,}(?:-[0-9a-f]+)*|.*-v\d+[_-].*|v\d+(?:[_-].*)?"
)
"""Folders of kinds of scores, numbers, times and identifiers, and what has the name of an environment within it."""
_USUAL_FIELDS = (
    ("algorithm", "environment", "seed"),
    ("algorithm", "seed"),
    ("algorithm", "environment"),
    ("environment", "seed"),
    ("algorithm",),
    ("environment",),
)
_SEPARATORS = ("/", "__", "_", "-")
_BEFORE_SEEDS = ("", "seed_", "seed", "seed=", "seed-", "run_", "run-", "run", "s")
_ENDINGS = ("", "/{}", "__{}", "_{}")


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


def value_at(config: Mapping[str, Any], key: str) -> Any:
    """What stands at a dotted key of a configuration, nested or flat.

    Raises
    ------
    KeyError
        where nothing does
    """
    if key in config:
        found = config[key]
        return found["value"] if isinstance(found, Mapping) and "value" in found else found  # as W&B keeps it
    first, _, rest = key.partition(".")
    inner = config.get(first)
    if isinstance(inner, Mapping) and isinstance(inner.get("value"), Mapping):
        inner = inner["value"]
    if not rest or not isinstance(inner, Mapping):
        raise KeyError(key)
    return value_at(inner, rest)


def looked_up(config: Mapping[str, Any], key: str) -> str | None:
    """The text or number at a dotted key of a configuration, nested or flat; None where there is none."""
    try:
        found = value_at(config, key)
    except KeyError:
        return None
    is_name = isinstance(found, str | int) and not isinstance(found, bool) and str(found).strip()
    return str(found) if is_name else None


def names_of(
    naming: Naming, place: str, labels: Mapping[str, str], config: Mapping[str, Any], around: Mapping[str, Any]
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
        candidates.append(labels.get(name))
        candidates += [looked_up(source, usual) for source in configurations for usual in USUAL_KEYS[name]]
        if (value := next((one for one in candidates if one is not None), None)) is not None:
            found[name] = value
    return found


def plain_run(name: str) -> str:
    """``seed_3`` and ``run-03`` as the number that they are; any other name as it is."""
    match = _COUNTED.fullmatch(name)
    return str(int(match[1])) if match else name


class Guess(NamedTuple):
    """How paths seem to be made.

    pattern : that fits all of them
    names : what it reads in each
    certain : whether the parts show which is which: one is named as environments are, and another varies
    """

    pattern: str
    names: Sequence[Mapping[str, str]]
    certain: bool


def guess(places: Sequence[str], known: Sequence[Mapping[str, str]]) -> Guess | None:
    """The first usual pattern that fits all paths and shows which part is which, else the first that fits; None where
    none does.

    Parameters
    ----------
    places : paths of runs, each once
    known : of each, the names that are known otherwise: algorithm, environment, run
    """
    if all(CLEANRL.fullmatch(place.rpartition("/")[2]) for place in places):
        expression = compiled(EXAMPLE)
        return Guess(EXAMPLE, [matched(expression, place) or {} for place in places], True)
    first: Guess | None = None
    for pattern in _usual_patterns():
        expression = compiled(pattern)
        names = [matched(expression, places[0])]
        if names[0] is None or not _is_plausible(names[0], known[0]):
            continue
        names += [matched(expression, place) for place in places[1:]]
        read = [one for one, labels in zip(names, known, strict=True) if one is not None and _is_plausible(one, labels)]
        together = [{**one, **labels} for one, labels in zip(read, known, strict=False)]
        if len(read) < len(places) or len({tuple(sorted(one.items())) for one in together}) < len(places):
            continue
        if _shows_names(pattern, places, read, together):
            return Guess(pattern, read, True)
        first = first or Guess(pattern, read, False)
    folders, _, files = zip(*(place.rpartition("/") for place in places), strict=True)
    if first is None and all(folders) and len(set(files)) == 1:  # such as metrics.csv of each run
        found = guess(folders, known)
        return found and found._replace(pattern=f"{found.pattern}/{{}}")
    return first


def _usual_patterns() -> Iterator[str]:
    """Patterns of the names that paths may have, most names first; the seed comes last."""
    for fields in _USUAL_FIELDS:
        for order in permutations(fields):
            if "seed" in order[:-1]:
                continue
            befores = _BEFORE_SEEDS if "seed" in order else ("",)
            for separators, before, ending in product(product(_SEPARATORS, repeat=len(order) - 1), befores, _ENDINGS):
                *others, last = (f"{{{name}}}" for name in order)
                start = "".join(name + separator for name, separator in zip(others, separators, strict=True))
                yield f"{start}{before}{last}{ending}"


def _is_plausible(names: Mapping[str, str], known: Mapping[str, str]) -> bool:
    """Whether what a pattern reads looks like names, and its seed is that which is known otherwise."""
    seed = names.get("run")
    is_seed = seed is None or (_SEED.fullmatch(seed) and plain_run(known.get("run", seed)) == plain_run(seed))
    algorithm, environment = names.get("algorithm", "a"), names.get("environment", "e")
    is_name = not _NO_NAME.fullmatch(algorithm) and not _NO_NAME.fullmatch(environment)
    is_apart = not environment.startswith(f"{algorithm}_")
    return bool(is_seed) and is_name and is_apart and ("algorithm" in known or not _VERSIONED.fullmatch(algorithm))


def _shows_names(
    pattern: str, places: Sequence[str], read: Sequence[Mapping[str, str]], together: Sequence[Mapping[str, str]]
) -> bool:
    """Whether it is clear which part of the paths is the algorithm and which the environment."""
    if any({"algorithm", "environment"} - set(one) for one in together) or len({p.count("/") for p in places}) > 1:
        return False
    algorithms = {one["algorithm"] for one in read if "algorithm" in one}
    environments = {one["environment"] for one in read if "environment" in one}
    matches = [_VERSIONED.fullmatch(name) for name in environments]
    # Versions of one name may be those of an algorithm, and with more dashes nothing tells where a name begins.
    versions_of_one = len(environments) > 1 and len({match and match[1] for match in matches}) == 1
    dashed = "-{environment}" in pattern and any("-" in name for name in algorithms)
    return all(matches) and not versions_of_one and not dashed and len(algorithms) != 1


def named_by_paths(
    places: Sequence[str], names: Sequence[Mapping[str, str]], reading: Reading
) -> Mapping[str, Mapping[str, str]]:
    """What the paths of runs that lack a name say, by path, where their parts show which is which; else nothing.

    Parameters
    ----------
    places : paths of runs, each once
    names : what is known of each
    """
    found = guess(places, names)
    if found is None or not found.certain:
        return {}
    reading.remark(f'names are read from the paths as --pattern "{found.pattern}" reads them')
    return dict(zip(places, found.names, strict=True))


def refuse_unmatched(places: Sequence[str], pattern: re.Pattern[str], text: str) -> None:
    """Raise an InputError that shows paths that the pattern does not match."""
    unmatched = [place for place in places if matched(pattern, place) is None]
    if unmatched:
        paths = f"{len(unmatched):,} path{'' if len(unmatched) == 1 else 's'}"
        what = f'the pattern "{text}" does not match {paths}, such as {_shown(unmatched)}'
        found = guess(places, [{}] * len(places))
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
    found = guess(places, names)
    usual = "say how the paths are made by --pattern, with {algorithm}, {environment} and {seed} for the parts that "
    hint = usual + "name them and {} for the rest"
    if found is not None:
        hint = f'say how the paths are made, such as --pattern "{found.pattern}"'
        labels = {name for own in (*names, *found.names) for name in own}
        others = [f"--{name} NAME" for name in ("algorithm", "environment") if name not in labels]
        if others:
            raise InputError(where, what, " ".join([hint, "with", *others]))
    raise InputError(where, what, f"{hint}; --{lacking} NAME where all runs have the same")


def _shown(places: Sequence[str]) -> str:
    return ", ".join(shown(place) for place in places[:_EXAMPLES])
