"""What the library does without and a run of the workflow needs: packages of the extra `report`."""

from collections.abc import Iterable
from importlib.util import find_spec

from surefoot.build.errors import InputError

REPORT = ("altair", "jinja2", "pypandoc", "snakemake", "vl_convert")
"""Modules of the packages that pyproject.toml lists under this extra."""
HINT = 'pip install "surefoot[report]"'


def lacking(modules: Iterable[str]) -> list[str]:
    """Those of the modules that are not installed."""
    return [module for module in modules if find_spec(module) is None]


def check_report(where: str) -> None:
    """Raise an InputError where a package of the extra is not installed.

    where : what needs it, such as ``surefoot run``
    """
    if missing := lacking(REPORT):
        raise InputError(where, f"it needs what is not installed ({', '.join(missing)})", HINT)
