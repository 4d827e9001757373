"""JSON texts that prove themselves whole: the first line is the hash of the rest.

A text that was cut, edited, or replaced by another kind of file does not match its seal and counts as damaged.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from surefoot.build.canonical import canonical_json, sha256_text

_HEAD, _TAIL = '{"sha256": "', '",'
_LENGTH = len(_HEAD) + 64 + len(_TAIL)


def sealed(content: Mapping[str, Any]) -> str:
    """Canonical JSON of a mapping that is not empty, with a key ``sha256`` before all others."""
    rest = canonical_json(content)[1:]
    return f"{_HEAD}{sha256_text(rest)}{_TAIL}{rest}"


def unsealed(text: str) -> dict[str, Any] | None:
    """The mapping of a sealed text, or None where the seal does not match."""
    rest = text[_LENGTH:]
    if text[:_LENGTH] != f"{_HEAD}{sha256_text(rest)}{_TAIL}":
        return None
    content: dict[str, Any] = json.loads(f"{{{rest}")
    return content


def read_sealed(path: Path) -> dict[str, Any] | None:
    """The mapping of a sealed file, or None where there is none that can be read and is whole."""
    try:
        return unsealed(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
