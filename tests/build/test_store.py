"""The store: what goes in comes out, damage is noticed, pruning keeps what is named."""

import platform
import shutil

import pytest

from surefoot.build import store as module
from surefoot.build.store import (
    blob_path,
    damaged_files,
    delete,
    enter,
    entry_key,
    fetch_blob,
    files_of,
    other_blobs,
    read_entry,
    store_folder,
    sweep_store,
)


@pytest.fixture
def filled(tmp_path):
    """A store with two entries that share a blob."""
    folder = tmp_path / "store"
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("one")
    two.write_text("two")
    first, second = entry_key("test", {"a": "1"}), entry_key("test", {"a": "2"})
    enter(folder, first, {"out": one}, {"seconds": 1.0})
    enter(folder, second, {"out": one, "more": two}, {"seconds": 2.0})
    return folder, first, second


def test_what_goes_in_comes_out(filled, tmp_path):
    folder, _, second = filled
    entry = read_entry(folder, second)
    assert entry["facts"] == {"seconds": 2.0}
    for name, text in (("out", "one"), ("more", "two")):
        assert fetch_blob(folder, entry["blobs"][name], tmp_path / "deep" / name)
        assert (tmp_path / "deep" / name).read_text() == text
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["more", "out"]


def test_damaged_blobs_count_as_missing_and_are_replaced(filled, tmp_path):
    folder, first, _ = filled
    digest = read_entry(folder, first)["blobs"]["out"]
    blob_path(folder, digest).write_text("damaged")
    assert not fetch_blob(folder, digest, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    enter(folder, first, {"out": tmp_path / "one"}, {})
    assert fetch_blob(folder, digest, tmp_path / "copy")


def test_what_is_deleted_takes_its_blobs_along(filled):
    folder, first, second = filled
    delete([path_of(folder, second), *other_blobs(folder, [first])])
    assert read_entry(folder, first) is not None
    assert [path.name for path in files_of(folder / "entries")] == [first]
    assert len(list((folder / "blobs").glob("*/*"))) == 1


def test_folder_comes_from_environment_then_configuration_then_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "a"))
    assert store_folder("b") == tmp_path / "a"
    monkeypatch.delenv("SUREFOOT_STORE")
    assert store_folder(str(tmp_path / "b")) == tmp_path / "b"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert store_folder(None) == tmp_path / "cache" / "surefoot"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(module.Path, "home", lambda: tmp_path)
    assert store_folder(None) == tmp_path / ".cache" / "surefoot"


def path_of(folder, key):
    return folder / "entries" / key[:2] / key


def test_an_entry_that_names_another_whole_blob_is_none(filled):
    folder, first, second = filled
    one, two = (read_entry(folder, second)["blobs"][name] for name in ("out", "more"))
    path = path_of(folder, first)
    text = path.read_text()
    assert one in text and two not in text
    path.write_text(text.replace(one, two))
    assert read_entry(folder, first) is None
    path.write_text(path_of(folder, second).read_text())  # whole, and that of another key
    assert read_entry(folder, first) is None
    assert read_entry(folder, "0" * 64) is None
    assert list(damaged_files(folder, [first, second, "0" * 64])) == [path]


@pytest.mark.parametrize(
    "folder_of", [path_of, lambda folder, key: blob_path(folder, read_entry(folder, key)["blobs"]["out"])]
)
def test_a_folder_in_place_of_a_file_counts_as_missing_and_is_replaced(filled, tmp_path, folder_of):
    folder, first, _ = filled
    path = folder_of(folder, first)
    path.unlink()
    (path / "more").mkdir(parents=True)
    digest = enter(folder, first, {"out": tmp_path / "one"}, {})["blobs"]["out"]
    assert read_entry(folder, first)["blobs"] == {"out": digest}
    assert fetch_blob(folder, digest, tmp_path / "copy")


def test_what_killed_processes_were_writing_is_swept(filled):
    folder, *_ = filled
    before = sorted(path for path in folder.rglob("*") if path.is_file())
    for part in ("entries", "blobs"):
        (folder / part / ".partial" / "x@elsewhere@1@0").write_text("living")
        (folder / part / ".partial" / f"x@{platform.node()}@{2**22 + 1}@0").write_text("half")
    sweep_store(folder)
    left = sorted(path for path in folder.rglob("*") if path.is_file())
    assert [path.name for path in left if path not in before] == ["x@elsewhere@1@0"] * 2


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"null", b"[1]", b'{"blobs": {}}', b'{"blobs": {'])
def test_a_damaged_entry_is_none(tmp_path, content):
    enter(tmp_path, entry_key("x", {}), {}, {})
    (path,) = (found for found in (tmp_path / "entries").rglob("*") if found.is_file())
    path.write_bytes(content)
    assert read_entry(tmp_path, entry_key("x", {})) is None


def test_what_another_process_deletes_meanwhile_is_left_out(filled):
    """As where two processes prune one store at once."""
    folder, *_ = filled
    for name in ("aa", "bb"):
        (folder / "blobs" / name).mkdir(exist_ok=True)
        (folder / "blobs" / name / f"{name}00").write_text(name)
    found = files_of(folder / "blobs")
    assert next(found).is_file()
    shutil.rmtree(folder / "blobs")
    assert not any(path.exists() for path in found)
    delete([folder / "blobs" / "aa" / "aa00"])
