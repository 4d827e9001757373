"""Public files with published scores, and the study of Recht et al. with changed sources."""

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
    from surefoot.workflow.configuration.places import read_configuration
    from surefoot.workflow.configuration.validation import validate_configuration

    config = read_configuration(FILES) | {"published": published}
    config["studies"]["recht2018"]["sources"] |= sources or {}
    return validate_configuration(config, FILES)


def refuse(*arguments: Any) -> None:
    """Fail; a replacement for functions that must not be called."""
    raise AssertionError("nothing may be computed or downloaded here")
