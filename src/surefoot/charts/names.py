"""Titles of algorithms, sets of scores and metrics in figures, and the order of algorithms for colours."""

from collections import Counter
from collections.abc import Iterable, Mapping

import pandas as pd

from surefoot.statistics.metrics.metric_catalogue import METRICS as KNOWN_METRICS

# Each algorithm has one colour on all pages, determined by its position in a benchmark. An algorithm that is in several
# benchmarks has the same position in each.
ALGORITHMS = (
    ("SPR", "PlayVirtual", "DrQ(eps)", "CURL", "DrQ", "DER", "OTR", "SimPLe"),
    ("DreamerV2", "M-IQN", "IQN", "Rainbow", "REM", "DQN (Adam)", "DQN (Nature)", "C51"),
    ("IDAAC", "PPG", "DAAC", "PLR", "PPO", "MixReg", "UCB-DrAC"),
    ("PISAC", "Dreamer", "SLAC", "CURL", "DrQ", "RAD", "SAC+AE", "SUNRISE", "CURL-D2RL"),
    ("sarsa_parl2", "q_parl2", "ac_parl2", "sarsa", "ppo", "ac", "q", "nac_td", "sarsa_s", "q_s", "ac_s"),
    ("opps_ds", "e_greedy", "bfs3", "sboss", "beb", "random", "bamcp", "soft_max"),
    (
        "advn_norm_ema",
        "norm_obs",
        "symlog_obs",
        "symlog_critic_targets",
        "lambda_ac",
        "advn_norm_mean",
        "advn_norm_max_ema",
    ),
)
PLACES = {name.casefold(): place for names in ALGORITHMS for place, name in enumerate(names)}
"""Position in the order of colours, by the name in lower case, for each algorithm that several pages show."""
METRIC_NAMES = {name: entry.title for name, entry in KNOWN_METRICS.items() if entry.title}
METRICS = {name: f"{title} ↓" if KNOWN_METRICS[name].lower_is_better else title for name, title in METRIC_NAMES.items()}
"""Titles in charts and tables, with an arrow if lower is better."""
SCORES = {
    "atari100k_first": "Atari 100k",
    "atari100k_hundred": "Atari 100k, 100 runs",
    "ale200m": "Atari 200M",
    "ale200m_record": "Atari 200M, human records",
    "procgen_ppo": "Procgen, in units of PPO",
    "procgen_min_max": "Procgen, min-max",
    "dm_control_100k": "DM Control, 100k steps",
    "dm_control_500k": "DM Control, 500k steps",
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
"""Formulas for the degrees of freedom of Welch's test."""


def named(names: Mapping[str, str], keys: pd.Series) -> pd.Series:
    """Map keys to their names; keys without a name are unchanged."""
    return keys.map(lambda key: names.get(key, key))


def spoken_metric(name: str) -> str:
    """Return the name of a metric for use in a sentence."""
    title = METRIC_NAMES.get(name, name)
    return title if title.isupper() else title[:1].lower() + title[1:]


Titles = Mapping[str, str] | None
"""Titles of algorithms or environments by name; names without a title are displayed unchanged."""


def titles_of(names: Iterable[str], titles: Titles = None) -> dict[str, str]:
    """Return {name: title} in order of first appearance.

    Since charts are keyed by title, names with the same title are distinguished by adding the name in parentheses.
    """
    titles = titles or {}
    shown = {name: titles.get(name, name) for name in dict.fromkeys(names) if name}
    several = Counter(shown.values())
    return {name: title if several[title] == 1 else f"{title} ({name})" for name, title in shown.items()}


def with_titles(table: pd.DataFrame, titles: Titles = None, environment_titles: Titles = None) -> pd.DataFrame:
    """Return the table with `title` after its column `algorithm` and `environment_title` after `environment`."""
    table = table.reset_index(drop=True)
    for kind, column, known in (
        ("algorithm", "title", titles),
        ("environment", "environment_title", environment_titles),
    ):
        if kind in table:
            place = table.columns.get_loc(kind) + 1
            table.insert(place, column, table[kind].map(titles_of(table[kind], known)))
    return table
