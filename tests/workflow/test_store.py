"""The content store: what goes in comes out, what is damaged counts as missing, and only what is old is deleted."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.paths import ROOT

from surefoot.workflow.files import sha256_file
from surefoot.workflow.store import blob_path, entry_path, get, put, read_entry, store_folder, unused_files

KEY = "k" * 64
SOURCE = ROOT / "src"


@pytest.fixture
def files(tmp_path):
    """Two files to be stored."""
    paths = {"table": tmp_path / "one", "more": tmp_path / "two"}
    for name, path in paths.items():
        path.write_text(f"{name} {'x' * 100}")
    return paths


@pytest.fixture
def store(tmp_path, files):
    """A store that has them."""
    put(tmp_path / "store", KEY, files, {"seconds": 1.0})
    return tmp_path / "store"


@pytest.fixture
def copies(tmp_path):
    return {"table": tmp_path / "deep" / "table", "more": tmp_path / "deep" / "more"}


def test_what_goes_in_comes_out(store, files, copies):
    assert get(store, KEY, copies) == {"seconds": 1.0}
    assert {name: path.read_text() for name, path in copies.items()} == {
        name: path.read_text() for name, path in files.items()
    }
    assert sorted(path.name for path in copies["table"].parent.iterdir()) == ["more", "table"]
    assert get(store, "o" * 64, copies) is None
    assert get(store, KEY, {"table": copies["table"]}) is None, "other outputs"


def flip(path):
    """Change a bit, in an entry one of the hash of a file."""
    content = bytearray(path.read_bytes())
    content[content.index(b"more") + 10] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("place", ["entry", "blob"])
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b""), id="emptied"),
        pytest.param(lambda path: os.truncate(path, path.stat().st_size // 2), id="cut"),
        pytest.param(flip, id="flipped"),
        pytest.param(lambda path: path.write_bytes(b"\xff\xfe\x00"), id="bytes"),
        pytest.param(lambda path: path.write_text('{"blobs": []}'), id="json"),
        pytest.param(lambda path: path.unlink(), id="deleted"),
    ],
)
def test_what_is_damaged_counts_as_missing_and_is_replaced(store, files, copies, place, damage):
    damage(entry_path(store, KEY) if place == "entry" else blob_path(store, sha256_file(files["more"])))
    assert get(store, KEY, copies) is None
    assert not copies["more"].exists()
    put(store, KEY, files, {"seconds": 2.0})
    assert get(store, KEY, copies) is not None
    assert copies["more"].read_bytes() == files["more"].read_bytes()


def test_unused_are_old_entries_their_files_and_temporary_files(store, files, tmp_path):
    other = {"table": files["table"], "new": tmp_path / "new"}
    other["new"].write_text("new")
    put(store, "n" * 64, other, {})
    more, new = (blob_path(store, sha256_file(path)) for path in (files["more"], other["new"]))
    for path in (entry_path(store, KEY), more, new):
        os.utime(path, (1.0, 1.0))
    left = store / "blobs" / "aa" / ".0123456789abcdef.tmp"
    left.parent.mkdir(exist_ok=True)
    left.write_text("half")
    since = time.time() - 60
    old = {entry_path(store, KEY), more}
    assert set(unused_files(store, since)) == old
    os.utime(left, (1.0, 1.0))
    assert set(unused_files(store, since)) == old | {left}
    get(store, KEY, {name: tmp_path / f"copy of {name}" for name in files})
    assert set(unused_files(store, since)) == {left}, "it was used just now"
    damaged = entry_path(store, "n" * 64)
    damaged.write_text("{")
    assert set(unused_files(store, since)) == {left, damaged, new}
    put(store, "p" * 64, {"new": other["new"]}, {})
    entry_path(store, "p" * 64).unlink()
    assert set(unused_files(store, since)) == {left, damaged}, "its entry may be written in a moment"


def test_every_flipped_bit_of_an_entry_makes_it_missing(store):
    path = entry_path(store, KEY)
    content = path.read_bytes()
    for place in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        entry = read_entry(store, KEY)
        assert entry is None or entry["facts"] == {"seconds": 1.0}, "flips between spaces are no damage"


def test_what_is_being_stored_is_not_listed(tmp_path):
    """Another thread stores 50 files while they are listed."""
    store = tmp_path / "store"

    def write():
        path = tmp_path / "written"
        for number in range(50):
            path.write_text(f"{number}")
            put(store, f"{number:064}", {"table": path}, {})

    writer = threading.Thread(target=write)
    writer.start()
    unused = []
    while writer.is_alive():
        unused += unused_files(store, time.time() - 60)
    writer.join()
    assert unused == []
    assert len(list((store / "entries").glob("*/*"))) == 50


def test_where_the_store_is(monkeypatch, tmp_path):
    monkeypatch.delenv("SUREFOOT_STORE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store_folder() == tmp_path / "surefoot"
    assert store_folder("~/mine") == Path.home() / "mine"
    monkeypatch.setenv("SUREFOOT_STORE", "here")
    assert store_folder("~/mine") == Path.cwd() / "here"


# Root may write anywhere, unless it gives that up.
AS_OTHERS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] if os.geteuid() == 0 else []
needs_permissions = pytest.mark.skipif(
    bool(AS_OTHERS) and shutil.which("setpriv") is None, reason="setpriv is not there, and root may write anywhere"
)
USE = """
import logging, sys
from pathlib import Path
from surefoot.workflow.store import get, put
logging.basicConfig(level="INFO")
store, source, copy = map(Path, sys.argv[1:])
print("found" if get(store, "k" * 64, {"table": copy}) is not None else "missing")
for key in "nm":
    put(store, key * 64, {"table": source}, {})
"""


def use(store, tmp_path):
    """Ask for an entry and put two, in a process of a user without root's rights: what it says."""
    (tmp_path / "source").write_text("new")
    command = [*AS_OTHERS, sys.executable, "-c", USE, store, tmp_path / "source", tmp_path / "copy"]
    variables = os.environ | {"PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


@needs_permissions
@pytest.mark.parametrize(
    ("mode", "unreadable", "answer"), [(0o555, "", "found"), (0o000, "", "missing"), (0o555, "blobs", "missing")]
)
def test_a_store_that_may_not_be_written_is_left_alone(tmp_path, mode, unreadable, answer):
    source, store = tmp_path / "one", tmp_path / "store"
    source.write_text("one")
    put(store, KEY, {"table": source}, {})
    paths = [store, *store.rglob("*")]
    before = [(path, path.stat().st_mode) for path in paths]
    for path in reversed(paths):
        path.chmod(0 if unreadable and unreadable in path.parts and path.is_file() else mode)
    said, log = use(store, tmp_path)
    for path, old in before:
        path.chmod(old)
    assert said == answer
    assert log.count("is read-only: results are not stored there") == 1, log
    assert [store, *store.rglob("*")] == paths


@needs_permissions
def test_an_unreadable_file_of_a_store_is_replaced(tmp_path):
    source, store = tmp_path / "one", tmp_path / "store"
    source.write_text("new")  # the content that `use` stores
    put(store, KEY, {"table": source}, {})
    blob_path(store, sha256_file(source)).chmod(0)
    assert use(store, tmp_path) == ("missing", "")
    assert use(store, tmp_path) == ("found", "")


def test_a_folder_in_place_of_a_file_of_the_store_is_an_error(store, files, copies):
    blob = blob_path(store, sha256_file(files["more"]))
    blob.unlink()
    blob.mkdir()
    assert get(store, KEY, copies) is None
    with pytest.raises(IsADirectoryError):
        put(store, KEY, files, {})


@pytest.mark.parametrize("mask", [0o002, 0o022])
def test_files_of_the_store_honour_the_umask(tmp_path, files, mask):
    before = os.umask(mask)
    try:
        put(tmp_path / "store", KEY, files, {})
    finally:
        os.umask(before)
    found = [path for path in (tmp_path / "store").rglob("*") if path.is_file()]
    assert len(found) == 3 and read_entry(tmp_path / "store", KEY) is not None
    assert {path.stat().st_mode & 0o777 for path in found} == {0o666 & ~mask}
    assert {path.parent.stat().st_mode & 0o777 for path in found} == {0o777 & ~mask}
