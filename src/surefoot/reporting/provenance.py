"""How a page was made, told at its end in a fold: versions, the command, configuration and files."""

from collections.abc import Mapping
from typing import Any

import yaml

from surefoot.reporting.page import SURROUNDINGS

HOW_IT_WAS_MADE = "How this page was made"
"""Title of the fold."""


def provenance() -> str:
    """The fold as Markdown; empty where the page does not know how it was made, as in an editor's preview."""
    by = SURROUNDINGS.get()
    return provenance_markdown(by.provenance) if by is not None and by.provenance else ""


def provenance_markdown(facts: Mapping[str, Any]) -> str:
    """The paper that the page is about, and the fold.

    Parameters
    ----------
    facts : paper (its citation as Markdown, or empty), bibtex (of what is to be cited), surefoot (version), libraries
        ({name: version}), seed, command (that makes the page), study (name), configuration (of the study), files
        ({path: SHA-256}); a page of records has no seed, study and configuration
    """
    libraries = ", ".join(f"{name} {version}" for name, version in facts["libraries"].items())
    parts = [
        f"**Versions.** Surefoot {facts['surefoot']}; {libraries}."
        + (f" **Seed.** {facts['seed']}." if "seed" in facts else ""),
        f"**Command.** In the folder that has `results/`, `{facts['command']}` makes this page again"
        + (", where `study.yaml` has this configuration:" if "study" in facts else "."),
    ]
    if "study" in facts:
        configuration = {"studies": {facts["study"]: facts["configuration"]}}
        text = yaml.safe_dump(configuration, sort_keys=False, allow_unicode=True, default_flow_style=None).rstrip()
        parts.append(f"````yaml\n{text}\n````")
    if facts["files"]:
        lines = "\n".join(f"{digest}  {path}" for path, digest in facts["files"].items())
        parts += ["**Files.** As `sha256sum --check` reads them:", f"````text\n{lines}\n````"]
    body = "\n\n".join(parts)
    body += f'\n\n```{{=html}}\n<script type="application/x-bibtex">\n{facts["bibtex"]}</script>\n```'
    fold = f'::: {{.callout-note collapse="true" title="{HOW_IT_WAS_MADE}"}}\n\n{body}\n\n:::'
    return f"**Paper.** {facts['paper']}\n\n{fold}" if facts["paper"] else fold
