"""Which algorithm, environment and run a curve is of: by a pattern of its path, by keys of its configuration, by what
its files tell, or by what the user says of all."""

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from string import Formatter
from typing import Any, NamedTuple

from surefoot.build.errors import InputError, nearest
from surefoot.errors import listed, shown
from surefoot.logs.file_kinds import EVALUATION_WORDS
from surefoot.rounding import counted

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
_VERSIONED_FIRST = r"([^/]*?-v\d+|(?!v\d+(?:[-_/]|$))[^/]+)"
"""An environment beside a dash: up to its version, of which it never consists alone; else as much as it can."""
_NO_NAME = re.compile(
    rf"(?i)train|training|rollout|{'|'.join(EVALUATION_WORDS)}"
    r"|\d+|(?:seed|run|version|trial|try|repeat|rep|fold)s?|(?:seed|run|s|version|trial|try|repeat|rep|fold)[_=\-.]?\d+|[\d_T.:-]{8,}|(?=.*\d)[0-9a-f]{8,}(?:-[0-9a-f]+)*|.*-v\d+[_-].*|v\d+(?:[_-].*)?"
)
"""Folders of kinds of scores, numbers, times and identifiers, and what has the name of an environment within it."""
_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?!\d)|(?<!\d)\d{2}[-_.:]\d{2}[-_.:]\d{2}(?!\d)|\d{9,}"
)
"""A date, a time of day, or seconds since 1970, which no name of an algorithm or environment has in it."""
_ALGORITHMS = frozenset(
    (
        *("a2c", "a3c", "acer", "awac", "bc", "bcq", "cem", "cql", "curl", "d4pg", "ddpg", "ddqn", "dqn", "dreamer"),
        *("dreamerv2", "dreamerv3", "droq", "drq", "drqv2", "edac", "es", "impala", "iql", "mappo", "mpo", "muzero"),
        *("ppg", "ppo", "qmix", "qrdqn", "rainbow", "redq", "reinforce", "rlpd", "sac", "sarsa", "tdmpc", "tdmpc2"),
        *("td3", "tqc", "trpo", "vdn"),
    )
)
"""Well-known algorithms, in letters and digits: a part of a path that is called so is no environment."""
_FEWEST_RUNS = 2
"""Runs that each algorithm has somewhere, by a pattern that is proposed."""
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

    pattern: str | None
    keys: Mapping[str, str]
    fixed: Mapping[str, str]


@functools.cache
def compiled(pattern: str) -> tuple[re.Pattern[str], Sequence[str]]:
    """A pattern such as ``{environment}__{algorithm}__{seed}__{}`` as a regular expression of the ends of paths.

    Beside it, what each of its groups names.

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
    is_dashed = "-{environment}" in pattern or "{environment}-" in pattern
    fields = {"environment": _VERSIONED_FIRST if is_dashed else "([^/]+)", "": "[^/]+"}
    written, names = "", []
    for text, name, specification, conversion in parts:
        written += re.escape(text)
        if name is None:
            continue
        if name and (name not in FIELDS or specification or conversion):
            raise InputError("pattern", f'"{{{name}}}" is not known', nearest(name, FIELDS))
        written += fields.get(name, "([^/]+)")
        names += [name] if name else []
    if not names:
        raise InputError("pattern", f'"{pattern}" names nothing', f'such as "{EXAMPLE}"')
    if {"seed", "run"} <= set(names):
        what = f'"{pattern}" names the run twice, by seed and by run'
        raise InputError("pattern", what, "one of them, {} for the other")
    return re.compile(f"(?:.*/)?{written}"), ["run" if name == "seed" else name for name in names]


def matched(pattern: str, place: str) -> dict[str, str] | None:
    """The names in a path, or None where the pattern does not match it."""
    expression, names = compiled(pattern)
    match = expression.fullmatch(place)
    if match is None:
        return None
    read: dict[str, str] = {}
    for name, text in zip(names, match.groups(), strict=True):
        read[name] = f"{read[name]}/{text}" if name in read else text
    return read


def flat(config: Mapping[Any, Any]) -> dict[str, Any]:
    """The values of a nested configuration by dotted keys, those of the key "value" also without it, as W&B keeps them.

    Keys that have dots already stay as they are, and come before nested ones.
    """
    found: dict[str, Any] = {}
    parts: list[tuple[str, Mapping[Any, Any]]] = [("", config)]
    for above, part in parts:
        for key, value in part.items():
            name = f"{above}.{key}".removeprefix(".")
            without = above if above and key == "value" else name
            if isinstance(value, Mapping):
                parts.append((without, value))
            else:
                found.setdefault(name, value)
                found.setdefault(without, value)
    return found


def names_of(
    naming: Naming, place: str, labels: Mapping[str, str], configurations: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """The names of a curve as far as they can be told: what the user says first, then what its files tell, then
    configurations, as `flat` gives them: its own, and Hydra's around it (whose user chose the keys, and whose folders
    bear no names)."""
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


def is_name(value: object) -> bool:
    """Return whether a value of a configuration may be a name."""
    return isinstance(value, str | int) and not isinstance(value, bool) and bool(str(value).strip())


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


def guess(places: Sequence[str], known: Sequence[Mapping[str, str]], runs: Sequence[int] | None = None) -> Guess | None:
    """The first usual pattern that fits all paths and shows which part is which, else the first that fits; None where
    none does, or where an algorithm would have a single run everywhere, as if by a time or a number in its name.

    Parameters
    ----------
    places : paths of runs, each once
    known : of each, the names that are known otherwise: algorithm, environment, run
    runs : how many runs are at each; by default one
    """
    if all(CLEANRL.fullmatch(place.rpartition("/")[2]) for place in places):
        return Guess(EXAMPLE, [matched(EXAMPLE, place) or {} for place in places], True)
    first: Guess | None = None
    proposed: Guess | None = None
    for pattern in _usual_patterns():
        read = []
        for place, labels in zip(places, known, strict=True):
            names = matched(pattern, place)
            if names is None or not _is_plausible(names, labels) or _splits_a_time(pattern, place):
                break
            read.append(names)
        together = [{**names, **labels} for names, labels in zip(read, known, strict=False)]
        if len(read) < len(places) or len({tuple(sorted(names.items())) for names in together}) < len(places):
            continue
        named = all("algorithm" in labels for labels in known)
        is_proposed = named or _has_repeated_runs(together, runs or [1] * len(places))
        if _shows_names(pattern, places, read, known):
            return Guess(pattern, read, True) if is_proposed else None
        if first is None:
            first = Guess(pattern, read, False)
            proposed = first if is_proposed else None
    folders, _, files = zip(*(place.rpartition("/") for place in places), strict=True)
    if first is None and all(folders) and len(set(files)) == 1:  # such as metrics.csv of each run
        found = guess(folders, known, runs)
        return found and found._replace(pattern=f"{found.pattern}/{{}}")
    return proposed


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
    """Return whether a name that a pattern reads in a path is a part of a date or of a time of day."""
    match = compiled(pattern)[0].fullmatch(place)
    parts = [match.span(number) for number in range(1, match.re.groups + 1)] if match else []
    times = [time.span() for time in _TIME.finditer(place)]
    return any(begin < last and first < end for begin, end in parts for first, last in times)


def _letters(name: str) -> str:
    return re.sub(r"[^a-z\d]", "", name.lower())


def _has_repeated_runs(names: Sequence[Mapping[str, str]], runs: Sequence[int]) -> bool:
    """Return whether each algorithm has several runs in some environment; runs that nothing names are told apart."""
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
    """Whether it is clear which part of the paths is the algorithm and which the environment."""
    pairs = list(zip(read, known, strict=True))
    if (
        any({"algorithm", "environment"} - {*one, *other} for one, other in pairs)
        or len({p.count("/") for p in places}) > 1
    ):
        return False
    algorithms = {one["algorithm"] for one in read if "algorithm" in one}
    environments = {one["environment"] for one in read if "environment" in one}
    matches = [_VERSIONED.fullmatch(name) for name in environments]
    # Versions of one name may be those of an algorithm, and with more dashes nothing tells where a name begins.
    versions_of_one = len(environments) > 1 and len({match and match[1] for match in matches}) == 1
    is_confirmed = all(one.get("algorithm") == other.get("algorithm") for one, other in pairs)
    dashed = "-{environment}" in pattern and any("-" in name for name in algorithms)
    return all(matches) and not versions_of_one and not dashed and (len(algorithms) != 1 or is_confirmed)


def refuse_unmatched(places: Sequence[str], pattern: str) -> None:
    """Raise an InputError that shows paths that the pattern does not match."""
    places = list(dict.fromkeys(places))
    unmatched = [place for place in places if matched(pattern, place) is None]
    if unmatched:
        examples = listed(list(map(shown, unmatched)), _EXAMPLES)
        what = f'the pattern "{pattern}" does not match {counted(len(unmatched), "path")}, such as {examples}'
        hint = "leave --pattern out where the files tell the names, or say how the paths are made"
        likely = guess(places, [{}] * len(places))
        longer = f"{pattern}/{{}}"  # the last part of a path may be the name of a file
        fits = longer if all(matched(longer, place) for place in places) else likely and likely.pattern
        raise InputError("pattern", what, f'{hint}, such as --pattern "{fits}"' if fits else hint)


def refuse_unnamed(where: str, lacking: str, places: Sequence[str], names: Sequence[Mapping[str, str]]) -> None:
    """Raise an InputError that shows paths of runs whose names cannot be told, and the pattern to give.

    Parameters
    ----------
    lacking : what cannot be told: algorithm or environment
    places : paths of the runs that lack it, each once
    names : what is known of each
    """
    examples = listed(list(map(shown, places)), _EXAMPLES)
    what = f"the {lacking} of {len(places):,} runs cannot be told from their files, such as {examples}"
    likely = guess(places, names)
    hint = "say how the paths are made by --pattern, with {algorithm}, {environment} and {seed} (or {run}, such as a "
    hint += "time) for the parts that name them and {} for the rest"
    others = []
    if likely is not None:
        hint = f'say how the paths are made, such as --pattern "{likely.pattern}"'
        there = {name for one in (*names, *likely.names) for name in one}
        others = [f"--{name} NAME" for name in NAMES[:2] if name not in there]
    rest = f" with {' '.join(others)}" if others else f"; --{lacking} NAME where all runs have the same"
    if likely is not None and others == ["--environment NAME"]:
        algorithms = {_letters(one["algorithm"]) for one in likely.names if "algorithm" in one}
        if not algorithms & _ALGORITHMS:
            pattern = likely.pattern.replace("{algorithm}", "{environment}")
            rest += f', or --pattern "{pattern}" with --algorithm NAME, if these are environments'
    raise InputError(where, what, hint + rest)
