"""Which parts of the paths of runs are the algorithm, the environment and the seed, as far as the parts show it."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from surefoot.logs.curves import EVALUATION_WORDS

VERSIONED = re.compile(r".*-v\d+")
"""Names of environments, as Gymnasium has them."""
COUNTED = re.compile(r"((?:seed|run|s|version|trial)?[_=\-.]?)(\d+)", re.IGNORECASE)
"""Names of seeds and runs."""
_ENDING = re.compile(r"(.+)([_-])((?:seed|run|s)?[_=\-.]?\d+)", re.IGNORECASE)
_STAMP = re.compile(r"\d{8,}(?:[_T-]?\d+)*|\d{4}-\d\d-\d\d.*|\d\d-\d\d-\d\d|(?=.*\d)[0-9a-f]{8,}(?:-[0-9a-f]+)*")
"""Times and identifiers, which name no seed."""
_KINDS = ("train", "training", "rollout", *EVALUATION_WORDS)
"""Folders of kinds of scores, which are no algorithms."""
_SPACES = ("ALE",)
"""First parts of names of environments, which tools write as a folder."""


class Guess(NamedTuple):
    """How paths seem to be made.

    pattern : that fits all of them
    names : what it reads in each
    certain : whether the parts show which is which: one is named as environments are, one is a number that varies
        between runs of the same rest, and one other varies
    """

    pattern: str
    names: Sequence[Mapping[str, str]]
    certain: bool


class _Part(NamedTuple):
    """What stands at one place of all paths: a folder, or a piece of its name.

    before : what separates it from the part before
    names : of each path
    """

    before: str
    names: tuple[str, ...]

    @property
    def numbered(self) -> bool:
        return all(COUNTED.fullmatch(name) for name in self.names) and not self.stamped

    @property
    def stamped(self) -> bool:
        return all(_STAMP.fullmatch(name) for name in self.names)

    @property
    def versioned(self) -> bool:
        return all(VERSIONED.fullmatch(name) for name in self.names)

    @property
    def free(self) -> bool:
        """Whether it may be an algorithm."""
        of_kinds = all(name.lower() in _KINDS for name in self.names)
        return not (self.numbered or self.stamped or self.versioned or of_kinds)

    @property
    def varies(self) -> bool:
        return len(set(self.names)) > 1


def guess(places: Sequence[str], known: Sequence[Mapping[str, str]]) -> Guess | None:
    """How the paths are made; None where nothing fits all of them.

    Parameters
    ----------
    places : paths of runs, each once
    known : of each, the names that are known otherwise: algorithm, environment, run
    """
    common = set.intersection(*(set(names) for names in known))
    depths = {place.count("/") + 1 for place in places}
    levels = zip(*(place.split("/")[-min(depths) :] for place in places), strict=True)
    parts = _pieces([_Part("/", level) for level in levels], {"algorithm", "environment"} - common, "run" in common)
    if len(depths) > 1 and not any(part.versioned for part in parts):
        return None
    fields, certain = _fields(parts, common, known)
    names = _intended(parts, fields)
    if "{seed}" in fields and _doubled(names, known):
        # Another number tells them apart, such as a size of a network: a part of the algorithm.
        certain = False
        for at, part in enumerate(parts):
            if fields[at] == "{}" and part.numbered and part.varies and "{algorithm}" in fields:
                fields[at] = "{algorithm}"
        names = _intended(parts, fields)
    written = "".join(_written(part, field) for part, field in zip(parts, fields, strict=True)).removeprefix("/")
    while written.startswith("{}/"):
        written = written.removeprefix("{}/")
    if not any({"algorithm", "environment"} & set(own) for own in names):
        return None
    return Guess(written, names, certain and len(depths) == 1)


def _doubled(names: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]]) -> bool:
    return len({tuple(sorted({**own, **told}.items())) for own, told in zip(names, known, strict=True)}) < len(names)


def _written(part: _Part, field: str) -> str:
    """A part of a pattern; what all numbers of runs begin with stands in it as it is."""
    prefixes = {match[1] for name in part.names if field == "{seed}" and (match := COUNTED.fullmatch(name))}
    return part.before + (prefixes.pop() if len(prefixes) == 1 else "") + field


def _intended(parts: Sequence[_Part], fields: Sequence[str]) -> list[dict[str, str]]:
    """The names in each path, as `surefoot.logs.naming.matched` reads them with the pattern."""
    found: list[dict[str, str]] = [{} for _ in parts[0].names]
    for part, field in zip(parts, fields, strict=True):
        name = {"seed": "run"}.get(field[1:-1], field[1:-1])
        left_out = len(_written(part, field)) - len(part.before + field)  # what the pattern has as it is
        for own, text in zip(found, part.names, strict=True):
            if name:
                own[name] = f"{own[name]}/{text}" if name in own else text[left_out:]
    return found


def _pieces(parts: Sequence[_Part], wanted: set[str], run_is_known: bool) -> list[_Part]:
    """The folders, taken apart as far as names are wanted."""
    parts = [piece for part in parts for piece in _split(part, "__")]
    parts = [piece for part in parts for piece in _around_environment(part)]
    if not run_is_known and not any(part.numbered for part in parts):
        parts = [piece for part in parts for piece in _without_number(part)]
    if sum(part.free or part.versioned for part in parts) < len(wanted):
        parts = [piece for part in parts for piece in _split(part, "_")]
    return list(parts)


def _split(part: _Part, separator: str) -> list[_Part]:
    """The pieces of a part that are separated so in all its names, a number with the word before it (seed_0) as one;
    the part itself where their numbers differ."""
    pieces = [
        re.sub(r"(?i)(?<![a-z])(seed|run|s)_(\d+)(?!\d)", "\\1\0\\2", name).split(separator) for name in part.names
    ]
    pieces = [[piece.replace("\0", "_") for piece in own] for own in pieces]
    if len({len(own) for own in pieces}) > 1 or not all(map(all, pieces)) or part.numbered or part.stamped:
        return [part]
    return [_Part(separator if at else part.before, names) for at, names in enumerate(zip(*pieces, strict=True))]


_AROUND = (
    re.compile(r"(?:(?P<before>.+)(?P<first>_))?(?P<environment>[^_]+-v\d+)(?:(?P<second>_)(?P<after>.+))?"),
    re.compile(r"(?P<before>[^-]+)(?P<first>-)(?P<environment>[^-_]+-v\d+)(?P<second>-)(?P<after>.+)"),
)
"""Names with that of an environment in them, such as my_ppo_Ant-v4_seed_0 and ppo-Ant-v4-0; with more dashes, nothing
tells which of them are in the name of the environment."""


def _around_environment(part: _Part) -> list[_Part]:
    """What stands before the name of an environment, the name, and the pieces after it."""
    for pattern in _AROUND:
        matches = [match for name in part.names if (match := pattern.fullmatch(name))]
        columns = list(zip(*(match.group("before", "environment", "after") for match in matches), strict=True))
        if len(matches) == len(part.names) and all(len(set(map(bool, column))) == 1 for column in columns):
            break
    else:
        return [part]
    before, environments, after = columns
    pieces = [_Part(part.before, before)] if before[0] else []
    pieces.append(_Part(matches[0]["first"] if before[0] else part.before, environments))
    if after[0]:
        pieces += _split(_Part(matches[0]["second"], after), "_")
    return pieces


def _without_number(part: _Part) -> list[_Part]:
    """A part whose names end with the number of a run, such as Ant-v4_1 and Ant-v4_2, as two; else the part itself."""
    found = [_ENDING.fullmatch(name) for name in part.names]
    matches = [match for match in found if match]
    stems, separators, counts = zip(*(match.groups() for match in matches), strict=True) if matches else ((), (), ())
    if len(matches) < len(found) or len(set(separators)) > 1 or part.versioned:
        return [part]
    if len(set(stems)) == len(set(part.names)) > 1:
        return [part]
    return [_Part(part.before, stems), _Part(separators[0], counts)]


def _fields(parts: Sequence[_Part], common: set[str], known: Sequence[Mapping[str, str]]) -> tuple[list[str], bool]:
    """The field of a pattern for each part, and whether the parts show which is which."""
    fields = ["{}"] * len(parts)
    for at, (_, *rest) in enumerate(zip(parts, parts[1:], parts[2:], parts[3:], strict=False)):
        if [part.before for part in rest] == ["__"] * 3 and rest[1].numbered and rest[2].stamped:
            # CleanRL's names: environment, experiment, seed and time.
            fields[at : at + 3] = ["{environment}", "{algorithm}", "{seed}"]
            return fields, True
    seeds = [] if "run" in common else _seeds(parts)
    if seeds:
        fields[seeds[0]] = "{seed}"
    certain = len(seeds) < 2
    wanted = [name for name in ("algorithm", "environment") if name not in common]
    versioned = [at for at, part in enumerate(parts) if part.versioned]
    free = [at for at, part in enumerate(parts) if part.free and not _is_known(part, known)]
    if versioned and "environment" in wanted:
        first = versioned[0]
        stems = {name.rpartition("-v")[0] for name in parts[first].names}
        # Versions of one name may be those of an algorithm.
        certain = (
            certain
            and len({parts[at].names for at in versioned}) == 1
            and not (parts[first].varies and len(stems) == 1)
        )
        fields[first] = "{environment}"
        if first and parts[first].before == "/" and set(parts[first - 1].names) <= set(_SPACES):
            fields[first - 1] = "{environment}"
            free.remove(first - 1)
        wanted.remove("environment")
    varying = [at for at in free if parts[at].varies]
    alike = len({tuple(map(parts[at].names.index, parts[at].names)) for at in varying}) == 1
    if wanted == ["algorithm"] and len(varying) > 1 and not alike:
        for at in varying:
            fields[at] = "{algorithm}"
        return fields, False
    chosen = varying if len(varying) >= len(wanted) else free
    if not versioned and not varying:
        chosen = []  # no part shows anything
    for name, at in zip(wanted, chosen, strict=False):
        fields[at] = f"{{{name}}}"
    shown = not wanted or (wanted == ["algorithm"] and bool(varying))
    return fields, certain and shown and ("environment" in common or bool(versioned))


def _is_known(part: _Part, known: Sequence[Mapping[str, str]]) -> bool:
    """Whether the part repeats a name that is known."""
    return any(
        all(name == told.get(which) for name, told in zip(part.names, known, strict=True))
        for which in ("algorithm", "environment")
    )


def _seeds(parts: Sequence[_Part]) -> list[int]:
    """The parts that may be the seed, the likeliest first; one alone where the others are no rivals."""
    numbered = [at for at, part in enumerate(parts) if part.numbered]
    rest = list(zip(*(part.names for part in parts if not (part.numbered or part.stamped)), strict=True))

    def rank(at: int) -> tuple[bool, bool]:
        names = parts[at].names
        pairs = set(zip(rest, names, strict=True)) if rest else set(zip(names, strict=True))
        marked = all(re.match(r"(?i)seed|run|s\d", name) for name in names)
        return len(pairs) > max(len(set(rest)), 1), marked

    ordered = sorted(numbered, key=lambda at: (rank(at), at), reverse=True)
    return [at for at in ordered if rank(at) == rank(ordered[0])]
