"""Where numba keeps compiled kernels: a folder for each state of the code that can be compiled into them.

Numba's own cache looks at the file of the compiled function alone and would go on using a kernel after an edit in a
function that it inlines from another file. So the kernels of a room of the package lie in a folder named by the
fingerprint of all modules of the room, and of all that these import: any edit of that code starts a new folder. A room
and not a module, because one module can add to what the kernels of another are made of (`numba.extending.overload`).
The path of the package plays no part, so all jobs, tests and checkouts with the same code share what one has compiled.
Numba takes the folders from the class `KernelLocator`, which its option CACHE_LOCATOR_CLASSES names.

Numba trusts what it finds there, and a damaged file would end every process that loads it, or compute wrong numbers. So
each folder has a list of checksums. A process looks at it once, when it first needs the folder: a file that is not as
the list says, or that another user may have written, is deleted and compiled once more. One process compiles at a time
into a folder, under a lock, and lists what it has written. A folder in which nothing can be written, as on a full disk,
is copied for the process.
"""

import atexit
import contextlib
import functools
import logging
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import ClassVar, Self

from surefoot.build.files import canonical_json, sha256_file, sha256_text
from surefoot.build.fingerprint import fingerprint, is_file, package_files, reached_modules
from surefoot.build.locks import lease
from surefoot.build.project import PACKAGE, SOURCE, short_path

logger = logging.getLogger("surefoot")

DIGITS = 32
"""Hexadecimal digits of a hash in the name of a folder."""
CHECKSUMS = "SHA256SUMS"
"""The list of a folder: a line for each file that was written, the last one holds."""
_LOCK = ".lock"
"""The file in a folder that is locked while kernels are compiled into it."""
_WORK = "compiling kernels"
_PATIENCE = 300.0
"""Seconds to wait for what another process compiles: no kernel takes so long, and a process may be suspended."""
_ROOM = 2 << 20
"""Bytes for which there must be room: the files of the largest kernel of the package have a fifth of that."""
_LOCATOR = "surefoot.build.kernel_cache.KernelLocator"
_LOCATORS_OF_NUMBA = (
    "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
)
"""In numba's order, for the functions of others."""


def kernels_of(store: Path) -> Path:
    """The folder of a store that has the folders of kernels."""
    return store / "kernels"


def kernel_folders() -> set[str]:
    """Names of the folders for the kernels of the package as it is."""
    return set(map(room_folder, _modules()))


@functools.cache
def room_folder(room: str) -> str:
    """Name of the folder for the kernels of a room of the package, such as ``statistics``."""
    return _name([room, *map(fingerprint, _modules()[room])])


@functools.cache
def file_folder(path: str) -> str:
    """Name of the folder for the kernels of a user's file: what it imports from beside the workflow counts as well."""
    named = short_path(Path(path))
    parts = (module.split(".") for module in reached_modules(named) if not is_file(module))
    rooms = {part[1] for part in parts if len(part) > 1}
    return _name([fingerprint(named), *map(room_folder, sorted(rooms))])


def _name(texts: Iterable[str]) -> str:
    """A name that also says by what list the files of the folder prove themselves."""
    return sha256_text("\n".join([CHECKSUMS, *texts]))[:DIGITS]


@functools.cache
def _modules() -> dict[str, list[str]]:
    """The modules of each room of the package."""
    rooms: dict[str, list[str]] = {}
    for name, path in sorted(package_files(SOURCE).items()):
        if path.stem != "__init__":
            rooms.setdefault(name.split(".")[1], []).append(name)
    return rooms


def keep_kernels(folder: Path) -> None:
    """Let this process keep compiled kernels of this package and of users' files below a folder; those of other
    packages stay where numba keeps them.

    To be called before the modules of the kernels are imported. A process has one such folder, the first it is given.
    """
    if KernelLocator.below is None:
        from numba.core import config

        KernelLocator.below = folder
        options = vars(config)
        options["CACHE_LOCATOR_CLASSES"] = f"{_LOCATOR},{options['CACHE_LOCATOR_CLASSES'] or _LOCATORS_OF_NUMBA}"


class KernelLocator:
    """Where the kernels of a function lie, as numba asks for it: below the folder of the code that they are made of."""

    below: ClassVar[Path | None] = None
    of_functions: ClassVar[dict[FunctionType, Self]] = {}

    def __init__(self, function: FunctionType, file: str, below: Path):
        self._py_file = file  # which numba's warnings name
        self._code = function.__code__
        package, *rest = function.__module__.split(".")
        inside = package == PACKAGE and bool(rest)
        self._state = room_folder(rest[0]) if inside else file_folder(file)
        self.folder = _whole_folder(below / self._state)
        self._module = ".".join(rest) if inside else Path(file).stem

    def get_cache_path(self) -> str:
        """The folder of the files of the function's module."""
        return str(self.folder / self._module)

    def ensure_cache_path(self) -> None:
        """Make that folder, which numba asks for before it writes."""
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """What a kernel was made of."""
        return self._state

    def get_disambiguator(self) -> str:
        """What tells functions of the same name apart: a hash of what they do, wherever they stand."""
        return _digest(self._code)[:12]

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> Self | None:
        """None for a function of another package, and for one that is in no file."""
        foreign = {"site-packages", "dist-packages"}.intersection(Path(py_file).parts)
        inside = py_func.__module__.split(".")[0] == PACKAGE
        if cls.below is None or (not inside and (foreign or not Path(py_file).is_file())):
            return None
        _lock_while_compiling()
        cls.of_functions[py_func] = cls(py_func, py_file, cls.below)
        return cls.of_functions[py_func]


def _digest(code: CodeType) -> str:
    """Digest of what a function does, wherever it stands."""
    constants = [_digest(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    names = [code.co_names, code.co_varnames, code.co_freevars]
    return sha256_text(canonical_json([code.co_code.hex(), constants, names]))


def damaged_kernels(folder: Path) -> Iterator[Path]:
    """The files of a folder of kernels that are not as its list of checksums says, or that another user than this one
    and root, or everybody, may have written: what is loaded is run, and anybody can compute a checksum."""
    listed, checksums = _listed(folder), folder / CHECKSUMS
    if os.path.lexists(checksums) and not _is_trusted(checksums):
        yield checksums
    for path in sorted(folder.rglob("*")):
        if path in (checksums, folder / _LOCK) or (path.is_dir() and path.suffix not in (".nbi", ".nbc")):
            continue
        with contextlib.suppress(FileNotFoundError):  # another process has deleted it
            if path.is_dir() or not _is_trusted(path) or listed.get(str(path.relative_to(folder))) != sha256_file(path):
                yield path


def _listed(folder: Path) -> dict[str, str]:
    """The checksums of a folder's list by the paths of its files."""
    checksums = folder / CHECKSUMS
    if not _is_trusted(checksums):
        return {}
    lines = (line.split("  ", 1) for line in checksums.read_text(errors="replace").splitlines())
    return {line[1]: line[0] for line in lines if len(line) == 2}


def _is_trusted(path: Path) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_uid in (0, os.geteuid()) and not status.st_mode & stat.S_IWOTH


@functools.cache
def _whole_folder(folder: Path) -> Path:
    """A folder of kernels, without what is damaged; a copy for this process where nothing can be written or deleted:
    numba would end the process."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # `prune` looks at when it was last used
    damaged = set(damaged_kernels(folder))
    try:
        if damaged:
            with lease(folder / _LOCK, _WORK, _PATIENCE):  # nobody is writing now
                damaged = set(damaged_kernels(folder))
                for path in damaged:
                    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_ROOM))
    except OSError:
        copy = Path(tempfile.mkdtemp(prefix="surefoot_kernels_"))
        atexit.register(shutil.rmtree, copy, ignore_errors=True)
        for path in folder.rglob("*"):
            if path.is_file() and path not in damaged:
                target = copy / path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        folder = copy
    if damaged:
        logger.warning("%s: %d damaged files of compiled kernels, which are compiled again", folder, len(damaged))
    return folder


@functools.cache
def _lock_while_compiling() -> None:
    """Let other processes wait while this one compiles kernels, and list what it writes.

    Two that save kernels of one function at a time could take the file of one for that of the other; and what one has
    compiled, the next need not.
    """
    from numba.core import event

    held = threading.local()

    class Compiling(event.Listener):
        """Hears when numba begins to look for a kernel, then to compile it, and when that is done and written."""

        def on_start(self, about: event.Event) -> None:
            if about.kind == "numba:compiler_lock":
                held.depth = getattr(held, "depth", 0) + 1
                if held.depth == 1:
                    held.compiled, held.until = set(), contextlib.ExitStack()
                    for folder in sorted({locator.folder for locator in KernelLocator.of_functions.values()}):
                        held.until.enter_context(lease(folder / _LOCK, _WORK, _PATIENCE))
            else:
                held.compiled.add(KernelLocator.of_functions.get(about.data["dispatcher"].py_func))

        def on_end(self, about: event.Event) -> None:
            if about.kind == "numba:compiler_lock":
                held.depth -= 1
                if held.depth == 0:
                    with held.until, contextlib.suppress(OSError):  # they are compiled again
                        for locator in filter(None, held.compiled):
                            _list_kernels(locator.folder, Path(locator.get_cache_path()))

    for kind in ("numba:compiler_lock", "numba:compile"):
        event.register(kind, Compiling())


def _list_kernels(folder: Path, of_module: Path) -> None:
    """Add what was written of a module's kernels to the list of their folder."""
    listed = _listed(folder)
    sums = {str(path.relative_to(folder)): sha256_file(path) for path in sorted(of_module.glob("*.nb[ci]"))}
    with (folder / CHECKSUMS).open("a") as file:
        file.writelines(f"{digest}  {path}\n" for path, digest in sums.items() if listed.get(path) != digest)
