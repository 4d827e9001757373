"""Public files with published scores, small copies of some, and the study of Recht et al. with changed sources."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT, SHARED

DATA = SHARED / "data" / "agarwal2021"
FILES = [ROOT / "config" / "config.yaml", ROOT / "config" / "studies" / "recht2018.yaml"]
TABLE = "recht2018/machado2018_means_stds"


@pytest.fixture
def published_data() -> Path:
    """Return the folder with the tables and the public files; skip the test if it is missing."""
    if not DATA.is_dir():
        pytest.skip(f"the public files are not here: {DATA}")
    return DATA


def configuration(sources: dict[str, Any] | None = None, **published: Any) -> Any:
    """Return the checked configuration of the study."""
    from surefoot.workflow.configuration.configuration_files import read_configuration
    from surefoot.workflow.configuration.validation import validate_configuration

    config = read_configuration(FILES) | {"published": published}
    config["studies"]["recht2018"]["sources"] |= sources or {}
    return validate_configuration(config, FILES)


def refuse(*arguments: Any) -> None:
    """Fail; a replacement for functions that must not be called."""
    raise AssertionError("nothing may be computed or downloaded here")


PUBLISHED = {"SPR": 2.0, "DER": 1.0}
"""Lowest score of a run of some algorithms in the files of the fixture `published`."""


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A local folder with the files of Atari 100k, smaller than those that were published, with hashes of their own."""
    from surefoot.runs.scales import published_scores as scores

    names = ["DER", "OTRainbow", "DrQ", "DrQ(eps)", "SPR", "SimPLe", "PlayVirtual"]
    games = ("Pong", "Boxing", "Alien")
    content = {name: {game: [PUBLISHED.get(name, 0.5) + run for run in range(4)] for game in games} for name in names}
    curl = [{"game": game, "seed": run, "HNS": 1.0, "Max HNS": 2.0} for game in games for run in (1, 2)]
    made = {"atari100k/final_scores": content, "atari100k/curl_final_and_max": {"CURL_10_evals": curl}}
    sources = {}
    for table, files in made.items():
        for name, what in files.items():
            path = tmp_path / "published" / "copy" / "someone" / "repository" / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(what))
            fact = scores.Source(table, "someone/repository", "0", path.name, path.stat().st_size,
                                 scores.sha256_file(path), "")  # fmt: skip
            sources[table] = (*sources.get(table, ()), fact)
    for module in (scores, scores.files_in.__module__):
        monkeypatch.setattr(*((module, "sources_of") if module is scores else (f"{module}.sources_of",)), sources.get)
    monkeypatch.setenv("SUREFOOT_PUBLISHED", str(tmp_path / "published"))
    return tmp_path / "published"
