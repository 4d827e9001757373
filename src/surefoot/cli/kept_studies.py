"""The study of a report that is there already: whose runs it is of, and what options of the command line change."""

import argparse
import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from surefoot.build.errors import InputError
from surefoot.charts.drawing import OTHER_RUNS

DEFAULTS = {"rule": "window", "short_runs": "error", "missing_cells": "error"}
"""What options default to that a study keeps as keys of its source; None means that an option was not given."""
_OF_CURVES = ("rule", "amount", "short_runs")
_RUNS = re.compile(r"^# Runs: (.+)$", re.MULTILINE)
_RULE = re.compile(r"(\w+)(?:\((.+)\))?")


def with_runs_line(text: str, runs: Path, output: Path) -> str:
    """The text of a study's file with the comment that says which folder its runs are from, as seen from the report's
    folder."""
    if _RUNS.search(text):
        return text
    return f"# Runs: {os.path.relpath(runs.resolve(), output.resolve())}\n{text}"


def refuse_other_runs(file: Path, runs: Path) -> None:
    """Raise an InputError where the study of a file is of the runs of another folder."""
    recorded = _RUNS.search(file.read_text(encoding="utf-8"))
    if recorded is None or (file.parent.resolve() / recorded[1].strip()).resolve() == runs.resolve():
        return
    folder = file.parent
    other = os.path.relpath(f"{folder.resolve()}-{runs.resolve().stem}")
    moved = f'if {runs} has the same runs, moved, correct the line "# Runs:" of {file}'
    what = f"{folder} has the report of other runs ({os.path.relpath(folder / recorded[1].strip())})"
    raise InputError("command line: -o", what, f"-o {shlex.quote(other)} keeps both; {moved}")


def source_of_study(content: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of the source of the runs in a study, and its keys."""
    sources = content.get("sources") or {}
    name = "runs" if "runs" in sources else next(iter(sources), "runs")
    found = sources.get(name)
    return name, dict(found) if isinstance(found, Mapping) else {}


def options_of_study(content: Mapping[str, Any], options: argparse.Namespace) -> argparse.Namespace:
    """The options of the command line; where they are not given, what the study has."""
    own = argparse.Namespace(**vars(options))
    _, source = source_of_study(content)
    if source.get("kind") == "learning_curves":
        kept = {name: source.get(name) for name in _OF_CURVES}
    else:
        protocol = content.get("protocol") or {}
        rule = _RULE.fullmatch(str(protocol.get("rule", "")))
        logs = (protocol.get("logs") or {}).values()
        kept = {"short_runs": next((log["short_runs"] for log in logs if "short_runs" in log), None)}
        kept |= {"rule": rule[1], "amount": rule[2] and float(rule[2])} if rule else {}
    if own.rule is not None and own.rule != kept.get("rule", DEFAULTS["rule"]):
        kept.pop("amount", None)  # which is of the other rule
    for name in (*_OF_CURVES, "missing_cells"):
        given = getattr(own, name, None)
        value = kept.get(name) if name in _OF_CURVES else source.get(name)
        setattr(own, name, DEFAULTS.get(name) if given is None and value is None else value if given is None else given)
    own.lower_is_better = options.lower_is_better or source.get("lower_is_better", False)
    return own


def changed_study(
    text: str, name: str, content: Mapping[str, Any], options: argparse.Namespace
) -> tuple[str, list[str]]:
    """The text of a file whose study has the options that were given, and what was changed, in words.

    Parameters
    ----------
    text : of the file
    name, content : of the study
    options : as they were given, with None for those that were not
    """
    key, source = source_of_study(content)
    wanted = options_of_study(content, options)
    curves = source.get("kind") == "learning_curves"
    beside = OTHER_RUNS in content["sources"]
    changes = []
    for option in (*(_OF_CURVES if curves else ()), "missing_cells"):
        value, before = getattr(wanted, option), source.get(option, DEFAULTS.get(option))
        if value != before:
            text = with_value(text, ("studies", name, "sources", key, option), value)
            if beside:
                other = other_policy(value) if option == "short_runs" else value
                text = with_value(text, ("studies", name, "sources", OTHER_RUNS, option), other)
            now, then = ("not set" if one is None else one for one in (value, before))
            changes.append(f"{option}: {now} (was {then})")
    return text, changes


def other_policy(short_runs: str) -> str:
    """The policy for short runs whose verdict a report shows beside that of its own."""
    return "carry_forward" if short_runs == "drop" else "drop"


def refuse_other_scale(file: Path, content: Mapping[str, Any], scale: Mapping[str, Any] | None, lower: object) -> None:
    """Raise an InputError where the command line asks for another scale or direction than the study has.

    The profiles and metrics of a study are made for its scale, so these two are not changed in it.

    Parameters
    ----------
    scale : the study's entry for the scale that is asked for, None where none is
    lower : where lower scores are better, None where nothing is asked for
    """
    hint = f"-o {file.parent}-2 makes another report; or edit {file}, and run it again without the option"
    scales = [
        {key: value for key, value in one.items() if key != "source"}
        for one in (content.get("scales") or {}).values()
        if isinstance(one, Mapping)
    ]
    if scale is not None and scale not in scales:
        kept = ", ".join(dict.fromkeys(str(one.get("kind")) for one in scales))
        raise InputError("command line: --scale", f"the study in {file} has the scale {kept}", hint)
    _, source = source_of_study(content)
    kept_lower = source.get("lower_is_better", False)
    if lower is not None and lower != kept_lower:
        what = f"the study in {file} has lower_is_better: {json.dumps(kept_lower)}"
        raise InputError("command line: --lower-is-better", what, hint)


def with_value(text: str, keys: Sequence[str], value: object) -> str:
    """The text with a value at a key of nested mappings, replaced where it is, else added.

    Parameters
    ----------
    text : YAML
    keys : from the outermost mapping to the value; all mappings on the way are there and are not empty
    value : a number, a text, a truth value or None

    Raises
    ------
    KeyError
        where a mapping on the way is missing
    """
    *above, last = keys
    mapping: Any = yaml.compose(text, yaml.SafeLoader)
    for key in above:
        mapping = _entries(mapping)[key]
    written = str(yaml.safe_dump(value)).removesuffix("...\n").strip()
    present = _entries(mapping).get(last)
    if present is not None:
        return f"{text[: present.start_mark.index]}{written}{text[present.end_mark.index :]}"
    mark = mapping.value[-1][0].start_mark
    end = ", " if mapping.flow_style else f"\n{' ' * mark.column}"
    return f"{text[: mark.index]}{last}: {written}{end}{text[mark.index :]}"


def _entries(mapping: Any) -> dict[str, Any]:
    return {key.value: value for key, value in mapping.value}
