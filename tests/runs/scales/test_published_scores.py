"""Published scores of single runs: from a folder, from the network, and only as they were published."""

import pytest

import surefoot
from surefoot.errors import InputError


def test_published_files_are_those_that_were_published(published, monkeypatch, tmp_path):
    table = surefoot.published_scores("atari_100k", ["SPR", "DER"])
    assert list(table) == ["algorithm", "environment", "run", "score"] and len(table) == 2 * 3 * 4
    next(published.rglob("SPR.json")).write_text("{}")
    with pytest.raises(InputError, match="the content differs from what was published"):
        surefoot.published_scores("atari_100k")
    with pytest.raises(InputError, match=r'unknown benchmark .atari.\. Hint: did you mean "atari_100k"'):
        surefoot.published_scores("atari")
    monkeypatch.delenv("SUREFOOT_PUBLISHED")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # where nothing listens
    with pytest.raises(InputError, match="connect to the network, or name a folder that has the file"):
        surefoot.published_scores("atari_100k")
