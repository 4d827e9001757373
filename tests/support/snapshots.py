"""Texts of earlier runs in tests/snapshots. With UPDATE_SNAPSHOTS=1 in the environment, they are rewritten; read the
difference before committing it."""

import os

from support.paths import TESTS

FOLDER = TESTS / "snapshots"


def assert_as_kept(name: str, text: str) -> None:
    """Assert that a text equals the snapshot with the given name."""
    path = FOLDER / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    renewing = f"tests/snapshots/{name} differs; if that is on purpose, run the test with UPDATE_SNAPSHOTS=1"
    assert text == path.read_text(encoding="utf-8"), renewing
