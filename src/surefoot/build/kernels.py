"""Where numba keeps compiled kernels: a folder for each state of the code that can be compiled into them.

Numba's own cache looks at the file of the compiled function alone and would go on using a kernel after an edit in a
function that it inlines from another file. So the kernels of a room of the package lie in a folder named by the
fingerprint of all modules of the room, and of all that these import: any edit of that code starts a new folder. A room
and not a module, because one module can add to what the kernels of another are made of (`numba.extending.overload`).
The path of the package plays no part, so all jobs, tests and checkouts with the same code share what one has compiled.

Numba trusts what it finds there, and a damaged file would end every process that loads it, or compute wrong numbers. So
the files prove themselves (see `proven_kernels`): an index ends with the hash of what comes before, and the name of a
file of machine code has the hash of its content.
"""

import functools
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from surefoot.build.canonical import sha256_text
from surefoot.build.fingerprint import fingerprint, is_file, package_files, reached_modules
from surefoot.build.project import PACKAGE, SOURCE

DIGITS = 32
"""Hexadecimal digits of a hash in the name of a folder, and of a file of machine code."""


def kernels_of(store: Path) -> Path:
    """The folder of a store that has the folders of kernels."""
    return store / "kernels"


def kernel_folders(modules: Iterable[str]) -> set[str]:
    """Names of the folders for the kernels of the package as it is, and for those of users' files.

    Parameters
    ----------
    modules : dotted names, and paths of users' files; these count with the files that they import
    """
    files = {found for file in filter(is_file, modules) for found in filter(is_file, reached_modules(file))}
    return {room_folder(room) for room in _rooms()} | {file_folder(file) for file in files}


@functools.cache
def room_folder(room: str) -> str:
    """Name of the folder for the kernels of a room of the package, such as ``statistics``."""
    return _name([room, *map(fingerprint, _modules_of(room))])


@functools.cache
def file_folder(path: str) -> str:
    """Name of the folder for the kernels of a user's file: what it imports from beside the workflow counts as well."""
    absolute = Path(path).absolute()
    named = str(absolute.relative_to(Path.cwd()) if absolute.is_relative_to(Path.cwd()) else absolute)
    parts = (module.split(".") for module in reached_modules(named) if not is_file(module))
    rooms = {part[1] for part in parts if len(part) > 1}
    return _name([fingerprint(named), *map(room_folder, sorted(rooms))])


_kept: list[Path] = []
"""The folder that this process keeps its kernels below, once it has one."""


def keep_kernels(folder: Path) -> None:
    """Let this process keep its compiled kernels below a folder, which nothing damaged is loaded from.

    To be called before the modules of the kernels are imported. A process has one such folder, the first it is given:
    what it has imported by the second call keeps its kernels there anyway.
    """
    if _kept:
        return
    _kept.append(folder)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    from numba.core import config

    from surefoot.build.compile_shortcuts import take_shortcuts
    from surefoot.build.proven_kernels import use_proven_files

    config.reload_config()
    use_proven_files()
    take_shortcuts()


def damaged_kernels(folder: Path) -> Iterator[Path]:
    """The files of a folder of kernels that do not prove themselves."""
    for path in sorted(folder.rglob("*.nb[ci]")):
        content = path.read_bytes() if path.is_file() else b""
        if not (is_code(path.name, content) if path.suffix == ".nbc" else is_index(content)):
            yield path


def with_hash(content: bytes) -> bytes:
    """An index, with the hash that proves it at its end, where numba's own reader does not look."""
    return content + hashlib.sha256(content).digest()


def is_index(content: bytes) -> bool:
    """Whether these bytes are a whole index."""
    return with_hash(content[:-32]) == content


def code_name(base: str, content: bytes) -> str:
    """Name of a file of machine code with this content, of the kernel that `base` names."""
    return f"{base}.{hashlib.sha256(content).hexdigest()[:DIGITS]}.nbc"


def is_code(name: str, content: bytes) -> bool:
    """Whether these bytes are the whole content of a file of machine code with this name."""
    return name == code_name(name.rsplit(".", 2)[0], content)


def _name(texts: Iterable[str]) -> str:
    return sha256_text("\n".join(texts))[:DIGITS]


@functools.cache
def _rooms() -> frozenset[str]:
    return frozenset(name.split(".")[1] for name in package_files(SOURCE) if name != PACKAGE)


def _modules_of(room: str) -> list[str]:
    modules = sorted(package_files(SOURCE).items())
    return [name for name, path in modules if name.split(".")[1:2] == [room] and path.stem != "__init__"]
