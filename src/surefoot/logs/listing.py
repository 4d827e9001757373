"""The files below a folder, each once: links are followed, and links that go round are not."""

import os
from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.build.given_files import refuse_special

_WANTED = "the folder in which the runs are, or a file with runs"
UNREADABLE = "make it readable (chmod -R u+rX), or move it out of the folder"


def list_files(folder: Path) -> list[Path]:
    """The files below a folder, sorted, or the one file that is given; hidden ones left out.

    Raises
    ------
    InputError
        where there is no such folder, or a part of it may not be read
    """
    if folder.is_file():
        return [folder]
    if not folder.exists():
        raise InputError(str(folder), "no such folder", _WANTED)
    if not folder.is_dir():
        refuse_special(folder, str(folder))
        raise InputError(str(folder), "neither a folder nor a file of data", _WANTED)
    found: list[Path] = []
    # Real folders before links, so that a run has its own name where a link such as `latest` leads to it as well.
    waiting, seen = [folder], set[tuple[int, int]]()
    links: list[Path] = []
    while waiting or links:
        current = waiting.pop() if waiting else links.pop(0)
        status = _status(current)
        if status is None or (status.st_dev, status.st_ino) in seen:
            continue
        seen.add((status.st_dev, status.st_ino))
        if not current.is_dir():
            refuse_special(current, str(current))
            found.append(current)
            continue
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name, reverse=True)
        except PermissionError as error:
            raise InputError(str(current), f"the folder cannot be read ({error.strerror})", UNREADABLE) from None
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith("."):
                continue
            if entry.is_symlink():
                links.append(path)
            elif entry.is_dir():
                waiting.append(path)
            elif entry.is_file():
                found.append(path)
                seen.add((entry.stat().st_dev, entry.inode()))
    return sorted(found)


def _status(path: Path) -> os.stat_result | None:
    """None for a link that leads nowhere, or only to itself."""
    try:
        return path.stat()
    except PermissionError as error:
        raise InputError(str(path), f"it cannot be read ({error.strerror})", UNREADABLE) from None
    except OSError:
        return None


def below(root: Path, path: Path) -> str:
    """The path as patterns and remarks have it: relative to the folder that is read, with slashes.

    The folder itself goes by its own name. Bytes that are no UTF-8 become question marks.
    """
    folder = root.parent if root.is_file() else root
    relative = path.relative_to(folder) if path.is_relative_to(folder) else path
    text = relative.as_posix() if relative.parts else folder.resolve().name
    return os.fsencode(text).decode("utf-8", "replace")
