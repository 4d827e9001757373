"""Pages through Quarto, where there is one: the same sources, in a copy of the project that nothing else touches."""

import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from surefoot.reporting.charts import chart_script
from surefoot.reporting.errors import PageError
from surefoot.reporting.source import Source

logger = logging.getLogger("surefoot")

HERE = Path(__file__).parent


def quarto_command(renderer: str) -> str | None:
    """Path of the `quarto` command where it shall render; None where the embedded renderer shall.

    Raises
    ------
    RuntimeError
        where `renderer` is "quarto" and there is none
    """
    if renderer == "embedded":
        return None
    command = shutil.which("quarto")
    if command is None and renderer == "quarto":
        raise RuntimeError("there is no quarto command. Hint: install Quarto, or write `render: auto`")
    return command


def render_with_quarto(
    command: str,
    source: Source,
    front: Mapping[str, Any],
    parameters: Mapping[str, Any],
    environment: Mapping[str, str],
    version: str | None,
    name: str,
) -> str:
    """The HTML of a page as Quarto renders it, in one file.

    Parameters
    ----------
    command : path of `quarto`
    source, front : the page, and its texts with the parameters put in
    parameters : passed on with -P
    environment : what the cells need to know
    version : of Vega-Lite, None without charts
    name : of the HTML file

    Raises
    ------
    PageError
        where Quarto fails or leaves a reference unresolved
    """
    with tempfile.TemporaryDirectory(prefix="surefoot-") as folder:
        # Quarto writes beside the sources, and two pages at a time would be in each other's way.
        project = Path(folder) / "reports"
        project.mkdir()
        for path in [*source.page.parent.glob("*.qmd"), source.page.parent / "_quarto.yml"]:
            shutil.copyfile(path, project / path.name)
        _add_charts(project / "_quarto.yml", version)
        made = Path(folder) / "site"
        call = [command, "render", source.page.name, "--to", "html", "--output", name, "--output-dir", str(made)]
        for key, value in parameters.items():
            call += ["-P", f"{key}:{value}"]
        for key in ("title", "subtitle", "description"):
            if key in front:
                call += ["-M", f"{key}:{front[key]}"]
        whole = os.environ | {"QUARTO_PYTHON": sys.executable} | dict(environment)
        done = subprocess.run(call, cwd=project, env=whole, capture_output=True, text=True, check=False)
        logger.info("%s\n%s", done.stdout, done.stderr)
        _check(source, done)
        if not (made / name).is_file():
            raise PageError(source.page, 1, f"Quarto did not write {name}", "the log has its messages")
        return (made / name).read_text(encoding="utf-8")


def _add_charts(project_file: Path, version: str | None) -> None:
    content = yaml.safe_load(project_file.read_text(encoding="utf-8"))
    html = content.setdefault("format", {}).setdefault("html", {})
    html |= {"embed-resources": True, "css": "content.css"}
    shutil.copyfile(HERE / "content.css", project_file.parent / "content.css")
    if version:
        script = chart_script(version)
        # In the header the script runs ahead of the page, so it waits for the charts to be there.
        waiting = f'document.addEventListener("DOMContentLoaded", () => {{\n{script}\n}});\n'
        (project_file.parent / "vega.js").write_text(waiting, encoding="utf-8")
        html["include-in-header"] = [{"text": '<script src="vega.js"></script>'}]
    project_file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


def _check(source: Source, done: subprocess.CompletedProcess) -> None:
    text = source.page.read_text(encoding="utf-8").splitlines()
    unresolved = re.search(r"Unable to resolve crossref @?(\S+)", done.stderr)
    if unresolved:
        token = unresolved[1].rstrip(".")
        line = next((number for number, line in enumerate(text, 1) if f"@{token}" in line), 1)
        raise PageError(source.page, line, f"unresolved reference @{token}", "give the figure or table that label")
    if done.returncode:
        last = " ".join(done.stderr.split("\n")[-6:]).strip()
        raise PageError(source.page, 1, f"Quarto failed: {last}", "the log has all of its messages")
