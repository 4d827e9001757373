"""What algorithms, sets of scores and metrics are called in the figures, and in which order they stand."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from surefoot.statistics.metrics.catalogue import METRICS as KNOWN_METRICS

# One order for all benchmarks, so that an algorithm has one colour in the whole report, also where it is in two of
# them. DAAC and PlayVirtual are in no figure; they keep neighbours' colours apart.
ALGORITHMS = (
    *("SimPLe", "DER", "OTR", "CURL", "DrQ", "DrQ(eps)", "SPR"),
    *("DQN (Nature)", "DQN (Adam)", "C51", "REM", "IQN", "Rainbow", "M-IQN", "DreamerV2"),
    *("PPO", "MixReg", "UCB-DrAC", "PLR", "PPG", "IDAAC"),
    *("SAC+AE", "SLAC", "Dreamer", "RAD", "DAAC", "PlayVirtual", "PISAC", "SUNRISE", "CURL-D2RL"),
)
METRIC_NAMES = {name: entry.title for name, entry in KNOWN_METRICS.items() if entry.title}
METRICS = {name: f"{title} ↓" if KNOWN_METRICS[name].lower_is_better else title for name, title in METRIC_NAMES.items()}
"""As charts and tables title them: with an arrow where less is better."""
SCORES = {
    "atari100k_first": "Atari 100k",
    "atari100k_hundred": "Atari 100k, 100 runs",
    "ale200m": "Atari 200M",
    "ale200m_record": "Atari 200M, human records",
    "procgen_ppo": "Procgen, in units of PPO",
    "procgen_min_max": "Procgen, min-max",
    "dm_control_100k": "DM Control, 100k steps",
    "dm_control_500k": "DM Control, 500k steps",
    "simulated": "simulated runs",
}
PROFILES = {"run_scores": "run scores", "average_scores": "average scores"}
METHODS = {
    "percentile": "percentile",
    "basic": "basic",
    "bc": "bias-corrected",
    "bca": "BCa",
    "bca_stratified": "BCa, stratified",
    "normal": "normal",
    "student": "Student",
}


FREEDOM_FORMULAS = {"notebook": "as published", "welch": "Welch\N{EN DASH}Satterthwaite"}
"""Formulas of the degrees of freedom of Welch's test."""


def named(names: Mapping[str, str], keys: pd.Series) -> pd.Series:
    """What the keys are called, a key without a name by itself."""
    return keys.map(lambda key: names.get(key, key))


def spoken_metric(name: str) -> str:
    """A metric as it stands within a sentence."""
    title = METRIC_NAMES.get(name, name)
    return title if title.isupper() else title.lower()


def shown(algorithms: Iterable[str], settings: Mapping[str, Any]) -> dict[str, str]:
    """{algorithm: title}, in the order of first appearance."""
    known = settings["algorithm_titles"]
    return {name: known.get(name, name) for name in dict.fromkeys(algorithms) if name}


_ON_PAGES = {
    "take the method student": "Student's is the one to take",
    "as few tasks decide its width, the interval is right": "few tasks decide the width of the interval, which is "
    "reliable",
    "the interval is right only": "the interval is reliable only",
}


def spelt_out(remark: str) -> str:
    """A remark on intervals in the words of pages. Answers and records, which are kept as they are, name methods by
    their keys."""
    words = {**METHODS, "bca_stratified": "stratified BCa"}
    remark = re.sub(rf"\b({'|'.join(words)})(?= interval)", lambda found: words[found[0]], remark)
    for kept, shown in _ON_PAGES.items():
        remark = remark.replace(kept, shown)
    return remark


def colour_order(algorithms: Iterable[str]) -> list[str]:
    """All algorithms that the colours are given to, in order: those of the report, or else those that are shown."""
    names = list(dict.fromkeys(algorithms))
    return list(ALGORITHMS) if set(names) <= set(ALGORITHMS) else sorted(names)
