"""What is kept of earlier runs, in tests/snapshots. With UPDATE_SNAPSHOTS=1 in the environment it is written anew, for
the difference to be read before it is committed."""

import os

from support.paths import TESTS

FOLDER = TESTS / "snapshots"


def assert_as_kept(name: str, text: str) -> None:
    """That a text is the one that is kept under this name."""
    path = FOLDER / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"see UPDATE_SNAPSHOTS in {__file__}"
