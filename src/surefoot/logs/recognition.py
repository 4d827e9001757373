"""Which formats the files of a folder are of, and where their runs are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.build.given_files import guarded
from surefoot.errors import listed
from surefoot.logs.curves import Notes, Place
from surefoot.logs.formats import Format, formats
from surefoot.logs.formats.table import column_names, missing_columns
from surefoot.logs.listing import UNREADABLE, below

WHOLE = "is the file whole? If it is not one of these runs, move it out of the folder"
_LISTED = 3


def recognized(root: Path, files: Sequence[Path], format: str | None, notes: Notes) -> dict[str, list[Place]]:
    """The places of the one format of the folder, or of several of the same runs, by format."""
    names = [format] if format else list(formats())
    try:
        found = {name: places for name in names if (places := _places(formats()[name], root, files))}
    except PermissionError as error:
        raise unreadable(error, root) from None
    except FileNotFoundError as error:
        what = f"{error.filename} was there and is gone: something writes in the folder"
        raise InputError(str(root), what, "give the same command again, or read a copy of the folder") from None
    contained = {
        (other, place)
        for name, places in found.items()
        for other in formats()[name].CONTAINS
        if other in found
        for place in _inside(found[other], {place.name for place in places})
    }
    left = {name: [place for place in places if (name, place) not in contained] for name, places in found.items()}
    left = {name: places for name, places in left.items() if places}
    if any(not hasattr(formats()[name], "FALLBACK") for name in left):
        left = {name: places for name, places in left.items() if not hasattr(formats()[name], "FALLBACK")}
    if not left:
        raise _without_runs(root, files, format)
    beside = next((name for name in left if set(left) <= {name, *getattr(formats()[name], "BESIDE", ())}), None)
    if beside is None:
        what = " and ".join(
            f"{_counted(len(places), 'place')} of the format {name} (such as {places[0].name})"
            for name, places in left.items()
        )
        hint = "ask for one: " + " or ".join(f"--format {name}" for name in left)
        raise InputError(str(root), f"runs of several formats: {what}", hint)
    folders = {place.name for place in left[beside]}
    for name in [name for name in left if name != beside and not folders & {place.name for place in left[name]}]:
        # Not in the folders of the same runs, so that nothing says which belong together.
        notes.remark(f"{_counted(len(left.pop(name)), 'place')} of the format {name} are left aside (--format {name})")
    return left


def _places(reader: Format, root: Path, files: Sequence[Path]) -> list[Place]:
    """What a format recognizes; where a file is in its way, the error names the file."""
    try:
        return reader.recognize(root, files)
    except (InputError, FileNotFoundError, PermissionError):
        raise
    except Exception:
        for path in files:
            with guarded(str(path), WHOLE):
                reader.recognize(root, [path])
        raise


def _without_runs(root: Path, files: Sequence[Path], format: str | None) -> InputError:
    kinds = Counter(path.suffix or path.name for path in files)
    has = ", ".join(f"{number:,} {suffix}" for suffix, number in kinds.most_common(5))
    looked = f"of the format {format}" if format else "of a format that is known"
    empty = sum(size_of(path) == 0 for path in files)
    broken = [below(root, path) for path in files if path.suffix == ".parquet" and not column_names(path)]
    what = f"no runs {looked} among its {_counted(len(files), 'file')}" + (f" ({has})" if has else "")
    what += f", of which {empty:,} {'is' if empty == 1 else 'are'} empty" if empty else ""
    what += f"; not readable as Parquet: {listed(broken, _LISTED)}" if broken else ""
    tables = [path for path in files if column_names(path)] if format == "table" else []
    what += "".join(
        f"; {below(root, path)} has no column {', '.join(missing_columns(path))}" for path in tables[:_LISTED]
    )
    others = "export others to a long table (algorithm, environment, run, step, score)"
    if {".pkl", ".pickle", ".npy"} & set(kinds):
        others += "; pickles are opened only if they are given themselves"
    return InputError(str(root), what, f"the formats are {', '.join(formats())}; {others}")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _inside(places: Iterable[Place], folders: set[str]) -> list[Place]:
    """The places that are one of the folders, or lie in one."""
    return [
        place
        for place in places
        if place.name in folders
        or any(place.name[:end] in folders for end, letter in enumerate(place.name) if letter == "/")
    ]


def unreadable(error: PermissionError, path: Path) -> InputError:
    """The error of a file that may not be read, or of a path where it names none."""
    return InputError(str(error.filename or path), f"it cannot be read ({error.strerror})", UNREADABLE)


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
