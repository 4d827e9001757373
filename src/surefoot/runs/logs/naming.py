"""Determine the algorithm, environment and run of a curve.

Names come from a pattern of the path, keys of the configuration, labels in files, or the user.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, permutations, product
from string import Formatter
from typing import Any, NamedTuple

from surefoot.errors import InputError, counted, listed, nearest, shown
from surefoot.runs.logs.file_kinds import EVALUATION_WORDS

NAMES = ("algorithm", "environment", "run")
FIELDS = ("algorithm", "environment", "seed", "run")
"""Fields of a pattern; seed and run are synonyms."""
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
"""Configuration keys that usually hold the algorithm, environment and run, in order of preference."""
_KEY_AT_END = re.compile(
    r"(?:(?P<value>(?!n[-_]).*[^-_])(?<![-_]n)(?<!num)(?<!eval)(?<!test)(?<!train)[-_]+)?\+?"
    rf"(?P<key>{'|'.join(map(re.escape, sorted(chain.from_iterable(USUAL_KEYS.values()), key=len, reverse=True)))})"
)
"""A common key that follows the value of another key; not ``num_env`` and the like."""
EXAMPLE = "{environment}__{algorithm}__{seed}__{}"
CLEANRL = re.compile(r"(?P<environment>[^/]+)__(?P<algorithm>[^/]+)__(?P<run>-?\d+)__\d{9,}")
"""Run names in CleanRL, as parsed by `EXAMPLE`; the last part is a time."""
_EXAMPLES = 3
_COUNTED = re.compile(r"(?:(?:seed|run|s|version|trial)?[_=\-.]?)(\d+)", re.IGNORECASE)
"""Names of seeds and runs that consist of a number, such as seed_3."""
_SEED = re.compile(r"\d{1,7}")
"""Seeds in paths; numbers with more digits are times."""
_VERSIONED = re.compile(r"(.*)-v\d+")
"""Names of environments in Gymnasium's style."""
_VERSIONED_FIRST = r"([^/]*?-v\d+|(?!v\d+(?:[-_/]|$))[^/]+)"
"""Pattern of an environment next to a dash, up to its version; without a version, it is as long as possible."""
_NO_NAME = re.compile(
    rf"(?i)train|training|rollout|{'|'.join(EVALUATION_WORDS)}"
    r"|\d+|(?:seed|run|version|trial|try|repeat|rep|fold)s?|(?:seed|run|s|version|trial|try|repeat|rep|fold)[_=\-.]?\d+|[\d_T.:-]{8,}|(?=.*\d)[0-9a-f]{8,}(?:-[0-9a-f]+)*|.*-v\d+[_-].*|v\d+(?:[_-].*)?"
)
"""Parts of paths that are not names of algorithms or environments: kinds of scores, numbers, times and identifiers, and
strings that contain a versioned environment.
"""
_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?!\d)|(?<!\d)\d{2}[-_.:]\d{2}[-_.:]\d{2}(?!\d)|\d{9,}"
)
"""A date, a time of day, or seconds since 1970, which names of algorithms and environments do not contain."""
_ALGORITHMS = frozenset(
    (
        *("a2c", "a3c", "acer", "awac", "bc", "bcq", "cem", "cql", "curl", "d4pg", "ddpg", "ddqn", "dqn", "dreamer"),
        *("dreamerv2", "dreamerv3", "droq", "drq", "drqv2", "edac", "es", "impala", "iql", "mappo", "mpo", "muzero"),
        *("ppg", "ppo", "qmix", "qrdqn", "rainbow", "redq", "reinforce", "rlpd", "sac", "sarsa", "tdmpc", "tdmpc2"),
        *("td3", "tqc", "trpo", "vdn"),
    )
)
"""Names of well-known algorithms, as returned by `_letters`; a part of a path with this name is not an environment."""
_FEWEST_RUNS = 2
"""Smallest number of runs that each algorithm must have in some environment for a guessed pattern."""
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
    """Names that the user specifies.

    pattern : pattern for the ends of paths, or None
    keys : dotted keys of configurations, by the name that they hold
    fixed : names that apply to all runs
    """

    pattern: str | None
    keys: Mapping[str, str]
    fixed: Mapping[str, str]


@functools.cache
def compiled(pattern: str) -> tuple[re.Pattern[str], Sequence[str]]:
    """Compile a pattern such as ``{environment}__{algorithm}__{seed}__{}`` for the ends of paths.

    Returns the regular expression and the name of each of its groups.

    A field matches part of the name of a folder or file, as long as possible, so names are split from the right. The
    value of ``{}`` is ignored. Next to a dash, an environment ends with its version if possible, as in ``ppo-Ant-v4-1``
    with ``{algorithm}-{environment}-{seed}``. A name that spans folders is repeated for each part:
    ``{environment}/{environment}__{algorithm}__{seed}__{}`` for ``ALE/Pong-v5__dqn__1__1700000000``.

    Raises
    ------
    InputError
        if the pattern is invalid, or has an unknown field
    """
    try:
        parts = list(Formatter().parse(pattern))
    except ValueError as error:
        raise InputError("pattern", f'"{pattern}" is not a pattern: {error}', f'use one such as "{EXAMPLE}"') from None
    is_dashed = "-{environment}" in pattern or "{environment}-" in pattern
    fields = {"environment": _VERSIONED_FIRST if is_dashed else "([^/]+)", "": "[^/]+"}
    written = ""
    names = []
    for text, name, specification, conversion in parts:
        written += re.escape(text)
        if name is None:
            continue
        if name and (name not in FIELDS or specification or conversion):
            raise InputError("pattern", f'"{{{name}}}" is not known', nearest(name, FIELDS))
        written += fields.get(name, "([^/]+)")
        names += [name] if name else []
    if not names:
        raise InputError("pattern", f'"{pattern}" names nothing', f'use one such as "{EXAMPLE}"')
    if {"seed", "run"} <= set(names):
        what = f'"{pattern}" names the run twice, by seed and by run'
        raise InputError("pattern", what, "use one of them, and {} for the other")
    return re.compile(f"(?:.*/)?{written}"), ["run" if name == "seed" else name for name in names]


def matched(pattern: str, place: str) -> dict[str, str] | None:
    """Return the names in a path, or None if the pattern does not match."""
    expression, names = compiled(pattern)
    match = expression.fullmatch(place)
    if match is None:
        return None
    read: dict[str, str] = {}
    for name, text in zip(names, match.groups(), strict=True):
        read[name] = f"{read[name]}/{text}" if name in read else text
    return read


def flat(config: Mapping[Any, Any]) -> dict[str, Any]:
    """Flatten a nested configuration to dotted keys; the key "value" is also dropped, since W&B adds it.

    Keys that already contain dots are unchanged, and precede nested keys.
    """
    values: dict[str, Any] = {}
    parts: list[tuple[str, Mapping[Any, Any]]] = [("", config)]
    for above, part in parts:
        for key, value in part.items():
            name = f"{above}.{key}".removeprefix(".")
            without = above if above and key == "value" else name
            if isinstance(value, Mapping):
                parts.append((without, value))
            else:
                values.setdefault(name, value)
                values.setdefault(without, value)
    return values


def names_of(
    naming: Naming, place: str, labels: Mapping[str, str], configurations: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Infer the algorithm, environment and run of a curve as far as possible.

    In order of preference, they come from the user, from labels in files, and from common keys of the configurations of
    the run and of its Hydra job (as returned by `flat`).
    """
    in_path = (matched(naming.pattern, place) or {}) if naming.pattern else {}
    names: dict[str, str] = {}
    for name in NAMES:
        candidates = [naming.fixed.get(name), in_path.get(name)]
        candidates += [config.get(naming.keys[name]) for config in configurations if name in naming.keys]
        candidates.append(labels.get(name))
        candidates += [config.get(usual) for config in configurations for usual in USUAL_KEYS[name]]
        if (value := next(filter(is_name, candidates), None)) is not None:
            names[name] = str(value)
    return names


def pairs_in_path(place: str) -> dict[str, str]:
    """Return the values by key in a path such as ``agent=ppo,env=Ant-v4,seed=1`` or ``agent=ppo/env=Ant-v4_seed=1``.

    Pairs are separated by slashes, commas, or underscores. A value is left out, together with the next key, if it may
    end at any of several underscores. Keys with two values are left out too.
    """
    read: dict[str, set[str]] = {}
    for part in re.split("[/,]", place):
        first, *others = part.split("=")
        known = _KEY_AT_END.fullmatch(first)
        key = known["key"] if known else first.lstrip("+")
        for number, text in enumerate(others, 1):
            known = _KEY_AT_END.fullmatch(text)
            value, _, next_key = text.rpartition("_")
            if number == len(others):
                time = re.search(rf"[_-]?(?:{_TIME.pattern})", text)  # as appended by Ray
                value = text[: time.start()] if time else text
            elif known:
                value, next_key = known["value"] or "", known["key"]
            elif "_" in value:
                value = next_key = ""
            read.setdefault(key, set()).add(value)
            key = next_key
    return {key: values.pop() for key, values in read.items() if key and len(values) == 1 and "" not in values}


def is_name(value: object) -> bool:
    """Check whether a value of a configuration can be a name."""
    return isinstance(value, str | int) and not isinstance(value, bool) and bool(str(value).strip())


def plain_run(name: str) -> str:
    """Return ``seed_3`` and ``run-03`` as a number without leading zeros; other names are unchanged."""
    match = _COUNTED.fullmatch(name)
    return str(int(match[1])) if match else name


class Guess(NamedTuple):
    """Guessed structure of paths.

    pattern : pattern that matches all paths
    names : names that it extracts from each path
    certain : True if the parts are recognizable: one looks like an environment, and another part varies
    """

    pattern: str
    names: Sequence[Mapping[str, str]]
    certain: bool


def guess(places: Sequence[str], known: Sequence[Mapping[str, str]], runs: Sequence[int] | None = None) -> Guess | None:
    """Return the first common pattern that matches all paths, preferably one with recognizable parts, or None.

    Patterns are rejected if they give some algorithm a single run everywhere, for example because its name contains a
    time.

    Parameters
    ----------
    places : distinct paths of runs
    known : names that are already known for each path: algorithm, environment, run
    runs : number of runs at each path, by default 1
    """
    if all(CLEANRL.fullmatch(place.rpartition("/")[2]) for place in places):
        return Guess(EXAMPLE, [matched(EXAMPLE, place) or {} for place in places], True)
    first: Guess | None = None
    is_first_proposed = False
    for pattern in _usual_patterns():
        read = _read_by(pattern, places, known)
        if read is None:
            continue
        is_proposed = _gives_repeated_runs(read, known, runs or [1] * len(places))
        if _shows_names(pattern, places, read, known):
            return Guess(pattern, read, True) if is_proposed else None
        if first is None:
            first = Guess(pattern, read, False)
            is_first_proposed = is_proposed
    if first is None:
        return _guess_by_folders(places, known, runs)
    return first if is_first_proposed else None


def _read_by(pattern: str, places: Sequence[str], known: Sequence[Mapping[str, str]]) -> list[dict[str, str]] | None:
    """Return the names that a pattern extracts from all paths, or None if it does not fit or confuses two runs."""
    read: list[dict[str, str]] = []
    for place, labels in zip(places, known, strict=True):
        names = matched(pattern, place)
        if names is None or not _is_plausible(names, labels) or _splits_a_time(pattern, place):
            return None
        read.append(names)
    together = {tuple(sorted({**names, **labels}.items())) for names, labels in zip(read, known, strict=True)}
    return read if len(together) == len(places) else None


def _gives_repeated_runs(
    read: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]], runs: Sequence[int]
) -> bool:
    """Check whether each algorithm has several runs in some environment, unless algorithms are already known."""
    if all("algorithm" in labels for labels in known):
        return True
    return _has_repeated_runs([{**names, **labels} for names, labels in zip(read, known, strict=True)], runs)


def _guess_by_folders(
    places: Sequence[str], known: Sequence[Mapping[str, str]], runs: Sequence[int] | None
) -> Guess | None:
    """Return a guess based on the folders if all files have the same name, such as metrics.csv for each run."""
    folders, _, files = zip(*(place.rpartition("/") for place in places), strict=True)
    if not all(folders) or len(set(files)) > 1:
        return None
    inner = guess(folders, known, runs)
    return inner and inner._replace(pattern=f"{inner.pattern}/{{}}")


def _usual_patterns() -> Iterator[str]:
    """Yield common patterns, starting with the patterns with the most names; in each, the seed comes last."""
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
    """Check whether the names extracted by a pattern look like names, and the seed agrees with a known one."""
    if (
        any(_TIME.search(names.get(name, "")) for name in NAMES[:2])
        or _letters(names.get("environment", "")) in _ALGORITHMS
    ):
        return False
    seed = names.get("run")
    is_seed = seed is None or (_SEED.fullmatch(seed) and plain_run(known.get("run", seed)) == plain_run(seed))
    algorithm = names.get("algorithm", known.get("algorithm", "a"))
    environment = names.get("environment", known.get("environment", "e"))
    is_name = not _NO_NAME.fullmatch(algorithm) and not _NO_NAME.fullmatch(environment)
    is_apart = environment != algorithm and not environment.startswith(f"{algorithm}_")
    return bool(is_seed) and is_name and is_apart and ("algorithm" in known or not _VERSIONED.fullmatch(algorithm))


def _splits_a_time(pattern: str, place: str) -> bool:
    """Check whether an extracted name is only a part of a date or of a time of day."""
    match = compiled(pattern)[0].fullmatch(place)
    parts = [match.span(number) for number in range(1, match.re.groups + 1)] if match else []
    times = [time.span() for time in _TIME.finditer(place)]
    return any(begin < last and first < end for begin, end in parts for first, last in times)


def _letters(name: str) -> str:
    return re.sub(r"[^a-z\d]", "", name.lower())


def _has_repeated_runs(names: Sequence[Mapping[str, str]], runs: Sequence[int]) -> bool:
    """Check whether each algorithm has several runs in some environment; unnamed runs count as distinct."""
    cells: Counter[tuple[str | None, str | None]] = Counter()
    for one, count in zip(names, runs, strict=True):
        cells[one.get("algorithm"), one.get("environment")] += count
    most: dict[str | None, int] = {}
    for (algorithm, _), count in cells.items():
        most[algorithm] = max(count, most.get(algorithm, 0))
    return min(most.values()) >= _FEWEST_RUNS


def _shows_names(
    pattern: str, places: Sequence[str], read: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]]
) -> bool:
    """Check whether it is clear which part of the paths is the algorithm and which is the environment."""
    pairs = list(zip(read, known, strict=True))
    has_both_names = all({"algorithm", "environment"} <= {*one, *other} for one, other in pairs)
    if not has_both_names or len({place.count("/") for place in places}) > 1:
        return False
    algorithms = {one["algorithm"] for one in read if "algorithm" in one}
    if "-{environment}" in pattern and any("-" in name for name in algorithms):
        return False  # it is unclear where the algorithm ends
    if len(algorithms) == 1 and any(one.get("algorithm") != other.get("algorithm") for one, other in pairs):
        return False
    return _are_environments({one["environment"] for one in read if "environment" in one})


def _are_environments(names: set[str]) -> bool:
    """Check whether all names end with versions; different versions of a single name may be algorithms instead."""
    matches = [_VERSIONED.fullmatch(name) for name in names]
    without_versions = {match[1] for match in matches if match}
    return all(matches) and (len(names) < 2 or len(without_versions) > 1)


def refuse_unmatched(places: Sequence[str], pattern: str) -> None:
    """Raise an InputError that lists paths that do not match the pattern."""
    places = list(dict.fromkeys(places))
    unmatched = [place for place in places if matched(pattern, place) is None]
    if unmatched:
        examples = listed(list(map(shown, unmatched)), _EXAMPLES)
        what = f'the pattern "{pattern}" does not match {counted(len(unmatched), "path")}, such as {examples}'
        hint = "leave --pattern out if the files contain the names, or describe the paths"
        likely = guess(places, [{}] * len(places))
        longer = f"{pattern}/{{}}"  # the last part of a path may be the name of a file
        fits = longer if all(matched(longer, place) for place in places) else likely and likely.pattern
        raise InputError("pattern", what, f'{hint}, such as --pattern "{fits}"' if fits else hint)


def refuse_unnamed(where: str, lacking: str, places: Sequence[str], names: Sequence[Mapping[str, str]]) -> None:
    """Raise an InputError that lists runs without inferable names, and suggests a pattern.

    Parameters
    ----------
    lacking : the missing name: algorithm or environment
    places : distinct paths of the runs without this name
    names : known names of each run
    """
    examples = listed(list(map(shown, places)), _EXAMPLES)
    what = f"the {lacking} of {len(places):,} runs cannot be inferred from their files, such as {examples}"
    likely = guess(places, names)
    hint = "describe the paths with --pattern, using {algorithm}, {environment} and {seed} (or {run}, such as a "
    hint += "time) for the corresponding parts and {} for the rest"
    others = []
    if likely is not None:
        hint = f'describe the paths, such as --pattern "{likely.pattern}"'
        there = {name for one in (*names, *likely.names) for name in one}
        others = [f"--{name} NAME" for name in NAMES[:2] if name not in there]
    rest = f" with {' '.join(others)}" if others else f"; or use --{lacking} NAME if all runs have the same"
    if likely is not None and others == ["--environment NAME"]:
        algorithms = {_letters(one["algorithm"]) for one in likely.names if "algorithm" in one}
        if not algorithms & _ALGORITHMS:
            pattern = likely.pattern.replace("{algorithm}", "{environment}")
            rest += f', or --pattern "{pattern}" with --algorithm NAME if the names are environments'
    raise InputError(where, what, hint + rest)
