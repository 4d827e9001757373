"""The file of a report's study. The user may edit it, but every report rewrites the information from the logs."""

import os
import re
import shlex
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from surefoot.cli.report_choices import Choices
from surefoot.cli.running import check_configuration_file
from surefoot.errors import InputError, printable
from surefoot.runs.curves.rules import parsed
from surefoot.workflow.configuration.configuration_files import read_yaml
from surefoot.workflow.files import write_whole
from surefoot.workflow.folder import CONFIGURATION

STUDY_FILE = "study.yaml"
RUNS_FILE = "runs.parquet"
"""File name of the table passed to `surefoot.report`, in the folder of the report."""
WRITTEN_ANEW = "# Rewritten by every `surefoot report`; to correct or complete it, add keys above this line."
_USUAL: Mapping[str, Any] = {"rule": "window", "short_runs": "worst_score", "missing_cells": "error"}
"""Defaults of the choices in a new report."""
_INDENT = " " * 6
"""Indent of the keys of a study's protocol in its file."""
_RUNS = re.compile(r"^# Runs: (.+)$", re.MULTILINE)


def refuse_files(output: Path) -> None:
    """Raise an InputError if the folder to create is an existing file."""
    if output.exists() and not output.is_dir():
        raise InputError("command line: -o", f"{output} is not a folder", "choose the name of a new folder")


def check_folder(folder: Path) -> None:
    """Raise an InputError if a folder contains anything but a report with its study."""
    refuse_files(folder)
    is_report = (folder / STUDY_FILE).is_file() or (folder / CONFIGURATION).is_file()
    if folder.is_dir() and {path.name for path in folder.iterdir()} - {RUNS_FILE} and not is_report:
        raise InputError("command line: -o", f"{folder} already contains other files", "choose another folder")


def path_of_runs(runs: Path, folder: Path) -> str:
    """Return the path of the runs relative to the folder of their report, as it is written in the study."""
    return printable(os.path.relpath(runs.resolve(), folder.resolve()))


def _is_path_of(runs: Path, folder: Path, recorded: str) -> bool:
    """Return True if the path recorded in a study is a path to the runs."""
    return recorded == path_of_runs(runs, folder) or (folder.resolve() / recorded).resolve() == runs.resolve()


def kept_studies(file: Path, runs: Path, expected: int) -> dict[str, Any]:
    """Return the studies in the file of an earlier report, by name; {} if there is no such file.

    Parameters
    ----------
    runs : path of the reported runs
    expected : expected number of studies, one per metric

    Raises
    ------
    InputError
        if the report is about other runs, or has a different number of studies
    """
    if not file.is_file():
        return {}
    check_configuration_file(file)
    folder = file.parent
    recorded = _RUNS.search(file.read_text(encoding="utf-8"))
    if recorded is not None and not _is_path_of(runs, folder, recorded[1].strip()):
        other = os.path.relpath(f"{folder.resolve()}-{runs.resolve().stem}")
        moved = f'if {runs} has the same runs, moved, edit the line "# Runs:" in {file}'
        what = f"{folder} has a report on other runs ({os.path.relpath(folder / recorded[1].strip())})"
        raise InputError("command line: -o", what, f"use -o {shlex.quote(other)} to keep both; {moved}")
    content: Any = read_yaml(file)
    studies = content.get("studies")
    if not isinstance(studies, Mapping) or len(studies) != expected:
        wanted = "one study" if expected == 1 else f"{expected} studies, one for each metric"
        raise InputError(str(file), f"it does not have {wanted}", "move the file away, and a new one is written")
    return {str(name): study for name, study in studies.items()}


def source_of_runs(study: Mapping[str, Any]) -> dict[str, Any]:
    """Return the source of the runs in a study's section."""
    sources = study.get("sources") or {}
    source = sources.get("runs", next(iter(sources.values()), None))
    return dict(source) if isinstance(source, Mapping) else {}


def settled(choices: Choices, study: Mapping[str, Any] | None, file: Path) -> Choices:
    """Complete the choices from an existing study, or with defaults.

    Parameters
    ----------
    study : section of a study, possibly edited; None if there is none yet
    file : file of the study

    Raises
    ------
    InputError
        if a choice contradicts the study, which is not changed
    """
    if study is None:
        return choices._replace(**{name: getattr(choices, name) or value for name, value in _USUAL.items()})
    has = _choices_in(study)
    for name, value in has.items():
        if getattr(choices, name) not in (None, False, value):
            other = shlex.quote(f"{file.parent}-2")
            hint = f"use -o {other} for a separate report; or edit {file} and repeat the command without the option"
            what = f"the study in {file} has " + (f"no {name}" if value is None else f"{name}: {value}")
            raise InputError(f"command line: --{name.replace('_', '-')}", what, hint)
    is_mixed = bool((study.get("protocol") or {}).get("allow_mixed_protocols"))
    return choices._replace(**has, allow_mixed_protocols=is_mixed or choices.allow_mixed_protocols)


def _choices_in(study: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices stated or implied by the section of an existing study."""
    # A source without the key short_runs uses "error".
    has: dict[str, Any] = {**_USUAL, "short_runs": "error", "rule_argument": None, "lower_is_better": False}
    source = source_of_runs(study)
    if source.get("kind") != "learning_curves":  # scores that a report computed
        has |= _rule_of_scores(study.get("protocol") or {})
    has |= {name: source[name] for name in has if name in source}
    compared = (study.get("questions") or {}).get("multiple_comparisons") or {}
    scales = [one for one in (study.get("scales") or {}).values() if isinstance(one, Mapping)]
    return has | {
        "baseline": compared.get("baseline"),
        "scale": scales[0].get("reference_table", scales[0].get("kind")) if scales else None,
    }


def _rule_of_scores(protocol: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule, its argument and the policy for short runs with which an earlier report computed scores."""
    rule = parsed(str(protocol.get("rule", "")))
    found: dict[str, Any] = {"rule": rule[0], "rule_argument": rule[1]} if rule else {}
    for log in (protocol.get("logs") or {}).values():
        if "short_runs" in log:
            found["short_runs"] = log["short_runs"]
    return found


def study_text(name: str, section: Mapping[str, Any], protocol: Mapping[str, Any], allow_mixed: bool) -> str:
    """Return a study as an entry of the section `studies` in a file, with the key `protocol` at its end.

    Parameters
    ----------
    protocol : part that every report rewrites
    allow_mixed : True to compare algorithms with different protocols; the key may be edited
    """
    text = yaml.safe_dump({name: dict(section)}, sort_keys=False, allow_unicode=True)
    head = textwrap.indent(f"{text}  protocol:\n    allow_mixed_protocols: {str(allow_mixed).lower()}\n", "  ")
    return f"{head}{_written_anew(protocol)}"


def _written_anew(protocol: Mapping[str, Any]) -> str:
    text = yaml.safe_dump(dict(protocol), sort_keys=False, allow_unicode=True, width=1000, default_flow_style=None)
    return textwrap.indent(f"{WRITTEN_ANEW}\n{text}", _INDENT)


def renew_study_file(file: Path, protocols: Sequence[Mapping[str, Any]]) -> bool:
    """Rewrite the information from the logs in the studies of a file.

    Return False and change nothing if the file does not have one such section for each protocol.

    protocols : protocols in the order of the studies
    """
    text = file.read_text(encoding="utf-8")
    place = re.compile(rf"^{_INDENT}{re.escape(WRITTEN_ANEW)}\n({_INDENT}.*\n)*", re.MULTILINE)
    if len(place.findall(text)) != len(protocols):
        return False
    remaining = iter(protocols)
    write_whole(file, place.sub(lambda _: _written_anew(next(remaining)), text))
    return True
