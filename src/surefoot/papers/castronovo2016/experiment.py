"""The files of the experiment (Figures 1 and 2): its agents and its protocol, as this run has them."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import yaml

from surefoot.papers.castronovo2016.comparison import plays
from surefoot.result_tables import Tables


def listing(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Lines of the study's configuration: those of its agents where `settings["part"]` is "agents", else all others.

    Columns line (its number) and text (with its indentation).
    """
    section = plays(settings)
    names = ["agents"] if settings["part"] == "agents" else [name for name in section if name != "agents"]
    shown = {"sources": {"runs": {name: section[name] for name in names}}}
    if settings["part"] != "agents":
        shown = {"seed": settings["seed"]} | shown
    written = yaml.safe_dump(
        {"studies": {settings["study"]: shown}}, sort_keys=False, default_flow_style=None, width=72
    )
    lines = written.splitlines()
    return None, pd.DataFrame({"line": range(1, len(lines) + 1), "text": lines})
