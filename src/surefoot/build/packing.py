"""Texts that only scripts read, packed so that pages stay small."""

import base64
import gzip


def packed(text: str) -> str:
    """The text as base64 of gzip, which `DecompressionStream` of every current browser opens."""
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()
