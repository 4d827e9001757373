"""What `surefoot read` and `surefoot report` say of the protocol of scores, and what a report's study keeps of it."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from surefoot.build.files import write_whole
from surefoot.configuration.yaml_files import read_yaml
from surefoot.errors import printable
from surefoot.logs.protocol import protocols_in_logs, refuse_unlike
from surefoot.logs.summary import selection_bias_of_algorithms
from surefoot.protocol.card import Card, cards
from surefoot.protocol.sentences import Counts, methods_sentence, selection_sentences, unlike_remark

WRITTEN_ANEW = "# Written anew by every `surefoot report`; what is wrong or missing in it is told by keys above it."
_INDENT = " " * 6
"""Of the keys of a study's protocol in its file."""


def protocol_of(table: pd.DataFrame, short_runs: str = "error") -> dict[str, Any]:
    """The protocol of the runs that were read, as a study has it."""
    return {"logs": protocols_in_logs(table, short_runs)}


def checked_protocol(table: pd.DataFrame, options: argparse.Namespace) -> dict[str, Any]:
    """The same; an InputError where algorithms have unlike protocols, and no comparison with a remark is asked for."""
    protocol = protocol_of(table, options.short_runs)
    if options.unlike_protocols == "error":
        refuse_unlike(str(options.folder), protocol)
    return protocol


def with_rule(protocol: Mapping[str, Any], rule: str, curves: pd.DataFrame) -> dict[str, Any]:
    """The protocol of scores that were made of curves by a rule; of a selected maximum with its bias.

    Parameters
    ----------
    rule : as surefoot.scores_of_curves writes it
    curves : the table that was read
    """
    biases = rounded(selection_bias_of_algorithms(curves)) if rule == "best" else {}
    logs = {
        name: read | ({"selection_bias": biases[name]} if name in biases else {})
        for name, read in protocol["logs"].items()
    }
    return {"rule": rule, **protocol, "logs": logs}


def tell_protocol(protocol: Mapping[str, Any], scores: pd.DataFrame) -> None:
    """Print what a score is, and how what is not stated may be told."""
    for line in [*protocol_lines(protocol, scores), *filter(None, [unstated_hint(protocol)])]:
        print(printable(line))


def told_in_study(file: Path, name: str) -> dict[str, Any]:
    """What the author of a study has told of its protocol: all but what a report writes anew."""
    content: Any = read_yaml(file)
    protocol = content["studies"][name].get("protocol") or {}
    return {key: value for key, value in protocol.items() if key not in ("rule", "logs")}


def protocol_lines(protocol: Mapping[str, Any], runs: pd.DataFrame) -> list[str]:
    """Lines for the terminal: what a score is, what is unlike, and how far a selected maximum is biased.

    Parameters
    ----------
    runs : the table that was read, or the scores
    """
    sizes = runs.drop_duplicates(["algorithm", "environment", "run"]).groupby(["algorithm", "environment"]).size()
    environments = list(map(str, dict.fromkeys(runs["environment"])))
    counts = Counts(int(sizes.min()), int(sizes.max()), environments)
    remark = unlike_remark(protocol)
    names = dict.fromkeys(map(str, runs["algorithm"]))
    lines = [f"what a score is: {methods_sentence(protocol, {name: name for name in names}, counts)}"]
    lines += [f"remark: {remark}"] if remark else []
    return lines + [f"selection bias: {sentence}" for sentence in selection_sentences(protocol, {})]


def unstated_hint(protocol: Mapping[str, Any]) -> str:
    """How to tell what the logs do not say; empty where nothing is to be told."""
    asked = {"kind": "eval", "deterministic": "true", "episodes": "10"}
    lacking = {field for card in cards(protocol).values() for field in asked if _is_lacking(card, field)}
    if not lacking:
        return ""
    example = ", ".join(f"{field}: {example}" for field, example in asked.items() if field in lacking)
    return f"what the logs do not say may be told in the study, such as protocol: {{{example}}}"


def _is_lacking(card: Card, field: str) -> bool:
    """Training explores, and single episodes are no mean: there is nothing to tell."""
    needless = {"deterministic": card["kind"].value == "train", "episodes": card["logged"].value == "episode"}
    return card[field].value is None and not needless.get(field, False)


def protocol_text(protocol: Mapping[str, Any], unlike: str) -> str:
    """The key `protocol` at the end of a study: what may be edited, and what every report writes anew."""
    return f"{_INDENT[2:]}protocol:\n{_INDENT}unlike: {unlike}\n{_written_anew(protocol)}"


def _written_anew(protocol: Mapping[str, Any]) -> str:
    text = str(yaml.safe_dump(dict(protocol), sort_keys=False, allow_unicode=True, width=1000, default_flow_style=None))
    return "".join(f"{_INDENT}{line}\n" for line in [WRITTEN_ANEW, *text.splitlines()])


def renew_protocols(file: Path, protocols: Sequence[Mapping[str, Any]]) -> bool:
    """Write anew what the studies of a file have of the logs; whether it has a place for each.

    protocols : in the order of the studies
    """
    mark, found, inside = f"{_INDENT}{WRITTEN_ANEW}", 0, False
    lines: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line == mark and found < len(protocols):
            lines += _written_anew(protocols[found]).splitlines()
            found, inside = found + 1, True
        elif not (inside and line.startswith(_INDENT)):
            lines.append(line)
            inside = False
    if found == len(protocols):
        write_whole(file, "".join(f"{line}\n" for line in lines))
    return found == len(protocols)


def rounded(biases: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Biases with four significant digits, as a file that is read by people has them."""
    return {
        name: {key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in one.items()}
        for name, one in biases.items()
    }
