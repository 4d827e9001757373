"""Where numba keeps compiled kernels: a folder for each state of the code that can be compiled into them.

Numba's own cache looks at the file of the compiled function alone and would go on using a kernel after an edit in a
function that it inlines from another file. So the kernels of a room of the package lie in a folder named by the
fingerprint of all modules of the room, and of all that these import: any edit of that code starts a new folder. A room
and not a module, because one module can add to what the kernels of another are made of (`numba.extending.overload`).
The path of the package plays no part, so all jobs, tests and checkouts with the same code share what one has compiled.
Numba takes the folders from the class `KernelLocator`, which its option CACHE_LOCATOR_CLASSES names.

Numba trusts what it finds there: a damaged file would end every process that loads it, or compute wrong numbers, and
what another user wrote would be run. So numba sees a folder of this process alone. Into it come the files of a folder
that only this user (and root) may write, as far as a list of checksums proves them: each is opened once, and the bytes
that were checked are those that are copied. One process compiles at a time for a folder, under a lock, and copies what
it has compiled back, with the list.
"""

import atexit
import contextlib
import functools
import hashlib
import logging
import os
import re
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FunctionType
from typing import ClassVar, Self

from surefoot.build.files import canonical_json, sha256_text, sweep, temporary_path, whole_file
from surefoot.build.fingerprint import fingerprint, is_file, package_files, reached_modules
from surefoot.build.locks import lease
from surefoot.build.project import PACKAGE, SOURCE, short_path
from surefoot.build.store import cache_folder

logger = logging.getLogger("surefoot")

DIGITS = 32
"""Hexadecimal digits of a hash in the name of a folder."""
CHECKSUMS = "SHA256SUMS"
"""The list of a folder: a line for each file."""
OWN_KERNELS = "surefoot_kernels"
"""How the names of folders for the kernels of one process begin."""
_LOCK = ".lock"
"""The file in a folder that is locked while kernels are compiled into it."""
_WORK = "compiling kernels"
_PATIENCE = 300.0
"""Seconds to wait for what another process compiles: no kernel takes so long, and a process may be suspended."""
_MODE = 0o755
"""Mode of new folders: no other user may write there, whatever the umask is."""
_KERNEL = re.compile(r"[^/]*[^/.][^/]*/[^/]+\.nb[ic]")
"""What the list calls a file: the name of its module, and numba's own."""
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
    """Let this process keep compiled kernels of this package and of users' files below a folder, or, where other users
    can write there, in the user's cache; those of other packages stay where numba keeps them.

    To be called before the modules of the kernels are imported. A process has one such folder, the first it is given.
    """
    if KernelLocator.below is None:
        from numba.core import config

        places = (folder, kernels_of(cache_folder() / PACKAGE), kernels_of(_own_folder()))
        KernelLocator.below = next(filter(may_be_run, places), folder)
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
        self.stored = below / self._state
        self.folder = _own_folder() / self._state
        _fetch(self.stored, self.folder)
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


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user and root may write what has this status."""
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@functools.cache
def may_be_run(folder: Path) -> bool:
    """Whether no other user can write in a folder of kernels, which is made where it is missing, or replace it."""
    for path in (folder.parent, folder):
        try:
            path.mkdir(_MODE, parents=True, exist_ok=True)
            status = path.stat()
        except OSError:
            return False
        if not _is_private(status) and not (path != folder and status.st_mode & stat.S_ISVTX):
            what = "other users can write there, so no compiled kernels are taken from it or kept in it"
            logger.warning("%s: %s. Hint: chmod go-w, or another store (SUREFOOT_STORE)", path, what)
            return False
    with contextlib.suppress(OSError):
        os.utime(folder)  # `prune` looks at when it was last used
    return True


@functools.cache
def _own_folder() -> Path:
    """The folder in which numba keeps the kernels of this process, which others cannot read."""
    temporary = Path(tempfile.gettempdir())
    sweep(temporary.glob(f"{OWN_KERNELS}@*"))  # of processes that were killed
    folder = temporary_path(Path(OWN_KERNELS), temporary)
    folder.mkdir(0o700)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _private_bytes(path: Path) -> bytes:
    """The bytes of a file that only this user and root may write; none of another one, or of what a link leads to."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            return file.read() if stat.S_ISREG(status.st_mode) and _is_private(status) else b""
    except OSError:
        return b""


def listed(stored: Path) -> dict[str, str]:
    """The checksums of a folder's list by the names of its files; none where others may have written the list."""
    lines = (line.split("  ", 1) for line in _private_bytes(stored / CHECKSUMS).decode(errors="replace").splitlines())
    return {line[1]: line[0] for line in lines if len(line) == 2 and _KERNEL.fullmatch(line[1])}


def _fetch(stored: Path, folder: Path) -> None:
    """Copy into a folder of this process what it lacks of the kernels that are kept, and are as their list says."""
    folder.mkdir(parents=True, exist_ok=True)
    damaged = 0
    for name, digest in listed(stored).items() if may_be_run(stored) else ():
        if _FETCHED.get((folder, name)) != digest:
            _FETCHED[folder, name] = digest
            content = _private_bytes(stored / name)
            if hashlib.sha256(content).hexdigest() != digest:
                damaged += 1
                continue
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
    if damaged:
        logger.warning("%s: %d damaged files of compiled kernels, which are compiled again", stored, damaged)


_FETCHED: dict[tuple[Path, str], str] = {}
"""Checksums of the files that this process has already fetched, by folder and name."""


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
                    folders = {locator.stored: locator.folder for locator in KernelLocator.of_functions.values()}
                    for stored, folder in sorted(folders.items()):
                        if may_be_run(stored):
                            held.until.enter_context(lease(stored / _LOCK, _WORK, _PATIENCE))
                            _fetch(stored, folder)
            else:
                held.compiled.add(KernelLocator.of_functions.get(about.data["dispatcher"].py_func))

        def on_end(self, about: event.Event) -> None:
            if about.kind == "numba:compiler_lock":
                held.depth -= 1
                if held.depth == 0:
                    with held.until, contextlib.suppress(OSError):  # they are compiled again
                        for locator in filter(None, held.compiled):
                            _keep(locator.stored, Path(locator.get_cache_path()))

    for kind in ("numba:compiler_lock", "numba:compile"):
        event.register(kind, Compiling())


def _keep(stored: Path, of_module: Path) -> None:
    """Copy what was written of a module's kernels to where they are kept, and add it to the list there."""
    if not may_be_run(stored):
        return
    known = listed(stored)
    for path in sorted(of_module.glob("*.nb[ci]")):
        name, content = f"{of_module.name}/{path.name}", path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if known.get(name) != digest or _private_bytes(stored / name) != content:
            if (folder := stored / of_module.name).is_file():
                folder.unlink()
            folder.mkdir(_MODE, exist_ok=True)
            _write(stored / name, content)
        known[name] = _FETCHED[of_module.parent, name] = digest
    _write(stored / CHECKSUMS, "".join(f"{digest}  {name}\n" for name, digest in known.items()).encode())


def _write(path: Path, content: bytes) -> None:
    """Replace a file, or the folder that damage has put there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    with whole_file(path) as temporary:
        temporary.chmod(_MODE & 0o666)
        temporary.write_bytes(content)
