"""Where numba keeps compiled kernels: a folder for each state of the code.

Numba's own cache looks at the file of the compiled function alone and would go on using a kernel after an edit in a
function that it inlines from another file. So the folder's name is the fingerprint of all modules of the rooms that a
job's code comes from: shared kernels are compiled once a room, and any edit of its code starts a new folder.

Numba trusts what it finds there, and a damaged file would end every process that loads it, or compute wrong numbers. So
the files prove themselves (see `proven_kernels`): an index ends with the hash of what comes before, and the name of a
file of machine code has the hash of its content.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from surefoot.pipeline.canonical import sha256_text
from surefoot.pipeline.fingerprint import PACKAGE, SOURCE, fingerprint, is_file, reached_modules
from surefoot.pipeline.whole_files import sweep

DIGITS = 32
"""Hexadecimal digits of a hash in the name of a file of machine code."""


def kernel_folder(store: Path, modules: Iterable[str]) -> Path:
    """The folder for the kernels of these modules, such as ``surefoot.statistics.game``."""
    modules = list(modules)
    # A user's file brings no room: numba's own cache sees its edits. The pipeline has no kernels.
    rooms = sorted({module.split(".")[1] for module in modules if not is_file(module)} - {"pipeline"})
    texts = [fingerprint(module) for room in rooms for module in _modules_of(room)]
    # But not those of others that it imports.
    own = {module for module in modules if is_file(module)}
    others = {reached for module in own for reached in reached_modules(module) if is_file(reached)} - own
    texts += [fingerprint(module) for module in sorted(others)]
    return store / "kernels" / sha256_text("\n".join([*rooms, *texts]))[:32]


def keep_kernels(folder: Path) -> None:
    """Let this process keep its compiled kernels in a folder, which nothing damaged is loaded from.

    To be called before the modules of the kernels are imported.
    """
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    with contextlib.suppress(OSError):  # there is none yet
        os.utime(folder)  # `prune` keeps what was used of late
    sweep(folder.rglob("*@*"))
    from numba.core import caching

    from surefoot.pipeline.proven_kernels import ProvenCacheFile

    caching.IndexDataCacheFile = ProvenCacheFile


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


def _modules_of(room: str) -> list[str]:
    base = SOURCE / PACKAGE / room
    paths = sorted(base.rglob("*.py")) if base.is_dir() else [base.with_suffix(".py")]
    relative = (path.relative_to(SOURCE).with_suffix("") for path in paths if path.name != "__init__.py")
    return [".".join(path.parts) for path in relative]
