"""Follow sections of docs/extending.md literally in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from support.paths import ROOT

MOST_LINES = 53
_ENTRY = re.compile(r"^`([^`\s]+)`, in `(\w+)`:\n\n```\w+\n(.*?)```", re.DOTALL | re.MULTILINE)
_TITLED = re.compile(r"^`([^`\s]+)`:\n\n```\w+\n(.*?)```", re.DOTALL | re.MULTILINE)


def follow(section: str, folder: Path) -> list[str]:
    """Write the files of a section into a copy of the project, and return their paths.

    The copy consists of links, which are cheap. A section writes new files, and may add an entry to a registry.
    """
    page = (ROOT / "docs" / "extending.md").read_text()
    text = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    assert len(text.splitlines()) <= MOST_LINES
    blocks = _TITLED.findall(text)
    entries = _ENTRY.findall(text)
    assert blocks or entries
    for part in ("src", "config", "reports"):
        shutil.copytree(ROOT / part, folder / part, copy_function=os.symlink)
    (folder / "workflow" / "schemas").mkdir(parents=True)
    stems = [Path(path).stem for path, _ in blocks if path.endswith(".py")]
    assert len(set(stems)) == len(stems), "tests/test_rooms.py does not allow two modules of the same name"
    for path, content in blocks:
        target = folder / path
        assert not target.exists(), f"{section} changes {path}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    for path, registry, entry in entries:
        target = folder / path
        whole = target.read_text()
        begin = re.search(rf"^{registry} = Registry\([^{{]*{{", whole, re.MULTILINE).end()
        target.unlink()  # a link to the project's
        target.write_text(f"{whole[:begin]}\n{entry}{whole[begin:]}")
    return [path for path, _ in blocks]


def run(folder: Path, program: str) -> str:
    """Run a Python program that uses the copy, and return its output.

    Kernels are not compiled, since that would take longer than using them uncompiled for a few runs. Uncompiled random
    number generators overflow integers, which numpy would warn about.
    """
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(ROOT / "tests")]),
        "SUREFOOT_STORE": str(folder / "store"),
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONWARNINGS": "ignore::RuntimeWarning",
    }
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
