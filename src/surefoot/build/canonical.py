"""Canonical JSON and content hashes: the same content always has the same bytes."""

import hashlib
import json
from pathlib import Path


def canonical_json(value: object) -> str:
    """JSON with sorted keys and one layout, ending in a newline.

    Raises
    ------
    ValueError
        for numbers that JSON has no word for (NaN and infinities)
    """
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def sha256_text(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_file(path: Path | str) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
