"""Text files that are never seen half-written."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Put the text at the path, in the place of what stands there, at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text)
    temporary.replace(path)
