"""Fingerprints: comments, docstrings and layout do not count; code does, through imports."""

import hashlib
import json
import os
import subprocess
import sys

import pytest
from support.paths import ROOT

from surefoot.workflow import fingerprint as module
from surefoot.workflow import kernel_cache


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of three modules: top imports middle, middle imports bottom, other stands alone."""
    root = tmp_path / "surefoot"
    (root / "room").mkdir(parents=True)
    (root / "__init__.py").write_text('"""Package."""\n')
    (root / "room" / "__init__.py").write_text('"""Room."""\n')
    (root / "room" / "top.py").write_text(
        "from surefoot.room.middle import double\n\n\ndef four():\n    return double(2)\n"
    )
    (root / "room" / "middle.py").write_text(
        'def double(x):\n    """Twice."""\n    from surefoot.room.bottom import two\n    return two * x\n'
    )
    (root / "room" / "bottom.py").write_text("two = 2\n")
    (root / "room" / "other.py").write_text("three = 3\n")
    monkeypatch.setattr(module, "SOURCE", tmp_path)
    remembering = [module.fingerprint, module.reached_modules, module._imports, module.package_files]
    remembering += [module.syntax_of, kernel_cache._modules, kernel_cache.room_folder, kernel_cache.file_folder]

    def forget():
        for function in remembering:
            function.cache_clear()

    def fingerprint_of(name):
        forget()
        return module.fingerprint(name)

    yield root / "room", fingerprint_of
    forget()


def test_comments_docstrings_and_layout_do_not_count(package):
    room, fingerprint_of = package
    before = fingerprint_of("surefoot.room.top")
    (room / "bottom.py").write_text((room / "bottom.py").read_text() + '"""A number."""\n')
    (room / "middle.py").write_text(
        '"""New words."""\n\n\n# a comment\n'
        "def double(x):\n    from surefoot.room.bottom import two\n\n    return (two  *  x)\n"
    )
    assert fingerprint_of("surefoot.room.top") == before


def test_code_counts_through_imports(package):
    room, fingerprint_of = package
    before = fingerprint_of("surefoot.room.top")
    other = fingerprint_of("surefoot.room.other")
    (room / "bottom.py").write_text("two = 3\n")
    assert fingerprint_of("surefoot.room.top") != before
    assert fingerprint_of("surefoot.room.other") == other


def test_imports_for_type_checkers_do_not_count(package):
    room, fingerprint_of = package
    before = fingerprint_of("surefoot.room.other")
    types = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from surefoot.room.bottom import two\n"
    (room / "other.py").write_text(types + (room / "other.py").read_text())
    assert module.reached_modules("surefoot.room.other") == ("surefoot.room.other",)
    reached = fingerprint_of("surefoot.room.other")
    (room / "bottom.py").write_text("two = 3\n")
    assert fingerprint_of("surefoot.room.other") == reached != before


def test_what_moves_bytes_does_not_count(package):
    room, fingerprint_of = package
    (room.parent / "workflow").mkdir()
    (room.parent / "workflow" / "log.py").write_text("from surefoot.room.middle import double\nlogger = print\n")
    (room / "top.py").write_text("from surefoot.workflow.log import logger\n")
    before = fingerprint_of("surefoot.room.top")
    assert module.reached_modules("surefoot.room.top") == ("surefoot.room.top",)
    (room.parent / "workflow" / "log.py").write_text("logger = None\n")
    assert fingerprint_of("surefoot.room.top") == before


def test_a_users_file_counts_with_the_files_that_it_imports(package, tmp_path, monkeypatch):
    _, fingerprint_of = package
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("import math\nfrom helper import half\nfrom tools.more import third\n")
    (tmp_path / "helper.py").write_text("half = 0.5\n")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "more.py").write_text("third = 1 / 3\n")
    before = fingerprint_of("mine.py")
    assert module.reached_modules("mine.py") == ("helper.py", "mine.py", "tools/more.py")
    folder = kernel_cache.file_folder("mine.py")
    (tmp_path / "helper.py").write_text("half = 0.25\n")
    assert fingerprint_of("mine.py") != before
    assert kernel_cache.file_folder("mine.py") != folder


def test_a_users_file_counts_with_public_functions(package, tmp_path, monkeypatch):
    room, fingerprint_of = package
    (room.parent / "__init__.pyi").write_text("from .room.top import four\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("from surefoot import four\n")
    before = fingerprint_of("mine.py")
    (room / "bottom.py").write_text("two = 3\n")
    assert fingerprint_of("mine.py") != before


def test_an_edit_renews_the_kernels_that_depend_on_it(package, tmp_path):
    room, fingerprint_of = package
    (tmp_path / "surefoot" / "second").mkdir()
    (tmp_path / "surefoot" / "second" / "use.py").write_text("from surefoot.room.bottom import two\n")

    def folders():
        fingerprint_of("surefoot.room.top")
        return [kernel_cache.room_folder(name) for name in ("room", "second")]

    before = folders()
    (room / "other.py").write_text("three = 4\n")
    after = folders()
    assert after[0] != before[0] and after[1] == before[1]
    (room / "bottom.py").write_text("two = 3\n")
    assert all(new != old for new, old in zip(folders(), after, strict=True))


def test_what_was_read_is_in_the_store_if_python_keeps_nothing(tmp_path):
    """Containers often set PYTHONDONTWRITEBYTECODE, and a clone may be read-only."""
    code = "from surefoot.workflow.fingerprint import fingerprint; fingerprint('surefoot.streams')"
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "SUREFOOT_STORE": str(tmp_path), "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", code], env=os.environ | settings, check=True)
    (kept,) = tmp_path.glob("runtime_syntax.*.json")
    source = (ROOT / "src" / "surefoot" / "streams.py").read_bytes()
    assert hashlib.sha256(source).hexdigest() in json.loads(kept.read_text())
