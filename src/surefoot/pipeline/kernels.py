"""Where numba keeps compiled kernels: a folder for each state of the code.

Numba's own cache looks at the file of the compiled function alone and would go on using a kernel after an edit in a
function that it inlines from another file. So the folder's name is the fingerprint of all modules of the rooms that a
job's code comes from: shared kernels are compiled once a room, and any edit of its code starts a new folder.
"""

from collections.abc import Iterable
from pathlib import Path

from surefoot.pipeline.canonical import sha256_text
from surefoot.pipeline.fingerprint import PACKAGE, SOURCE, fingerprint, is_file, reached_modules


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


def _modules_of(room: str) -> list[str]:
    base = SOURCE / PACKAGE / room
    paths = sorted(base.rglob("*.py")) if base.is_dir() else [base.with_suffix(".py")]
    relative = (path.relative_to(SOURCE).with_suffix("") for path in paths if path.name != "__init__.py")
    return [".".join(path.parts) for path in relative]
