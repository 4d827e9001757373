"""What the paper's algorithms and environments are: Tables 4 and 5."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.selection import published_values
from surefoot.result_tables import Tables
from surefoot.simulation.registry import ENVIRONMENTS

# Written once more, since the definitions are compiled code: the tests draw from them and compare.
_ANY = "U(0, 1)"
_TABLE_STEP = "exp U(ln 0.001, ln 0.1)"
_SMALL_STEP = "exp U(ln 0.000001, ln 0.001)"
_SCALED_STEP = "exp U(ln 0.001, ln 1) / features"
_BOTH = None  # the continuous environments have the same as the discrete ones
HYPERPARAMETERS = (
    ("all", "trace decay λ", _ANY, _BOTH, ""),
    ("all", "discount \N{GREEK SMALL LETTER GAMMA}", "1 \N{MINUS SIGN} exp U(ln 0.0001, ln 0.05)", _BOTH, ""),
    ("all", "value function", "table", "linear, Fourier basis", ""),
    (
        "Sarsa(λ), Q(λ) and variants",
        "exploration ε",
        "U(0, 0.1)",
        _BOTH,
        "printed as U(0, 1); the results need U(0, 0.1)",
    ),
    ("Sarsa(λ), Q(λ)", "step size", _TABLE_STEP, _SMALL_STEP, ""),
    ("Sarsa(λ)-s, Q(λ)-s", "step size", _TABLE_STEP, _SCALED_STEP, ""),
    ("AC and variants, NAC-TD, PPO", "policy", "softmax of a table", "softmax, Fourier basis", ""),
    ("AC, NAC-TD", "step size of values", _TABLE_STEP, _SMALL_STEP, ""),
    ("AC, NAC-TD", "step size of the policy", _TABLE_STEP, _SMALL_STEP, ""),
    ("AC-s", "step size of values", _TABLE_STEP, _SCALED_STEP, ""),
    ("AC-s, AC-Parl2", "step size of the policy", _TABLE_STEP, "exp U(ln 0.001, ln 1) / (features times actions)", ""),
    ("AC-Parl2", "weight of \N{MINUS SIGN}ln π in the TD error", "0.01", _BOTH, "not printed; the results need it"),
    ("NAC-TD", "step size of advantages", _TABLE_STEP, _SMALL_STEP, ""),
    ("NAC-TD", "normalized gradient", "yes", _BOTH, ""),
    ("PPO", "clip", "U(0.1, 0.3)", _BOTH, ""),
    ("PPO", "entropy coefficient", "exp U(ln 0.00000001, ln 0.01)", _BOTH, ""),
    ("PPO", "steps per batch", "2^U(6, 8), rounded", _BOTH, ""),
    ("PPO", "epochs", "U{1, …, 10}", _BOTH, ""),
    ("PPO", "minibatch", "2^U(4, 6), rounded", _BOTH, ""),
    ("PPO", "Adam: step size", _TABLE_STEP, _SMALL_STEP, ""),
    ("PPO", "Adam: β1, β2, ε", "0.9, 0.999, 0.00001", _BOTH, ""),
    ("Fourier basis", "dependent order", "", "U{0, …, 9}", "the cap of 10,000 features never binds"),
    ("Fourier basis", "independent order", "", "U{1, …, 9}", ""),
)


def table_4(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The distributions that hyperparameters are drawn from, in each trial anew (Table 4).

    Columns algorithm, hyperparameter, discrete, continuous, and note where the paper prints something else.
    """
    rows = pd.DataFrame(HYPERPARAMETERS, columns=["algorithm", "hyperparameter", "discrete", "continuous", "note"])
    rows["continuous"] = rows["continuous"].where(rows["continuous"].notna(), rows["discrete"])
    return None, rows.replace("", None)


def table_5(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The environments and the episodes of a trial (Table 5), with the printed number of episodes.

    Columns environment, title, state_space, episodes, published, and trials: how many of an algorithm this study has,
    or from how many to how many; none where it does not have the environment.
    """
    printed = published_values(tables["published"], "episodes", ["environment"]).set_index("environment")["value"]
    sizes = tables["collect/runs"].groupby(["environment", "algorithm"]).size()
    rows = []
    for name, environment in ENVIRONMENTS.items():
        row = {"environment": name, "title": environment.title, "state_space": environment.kind}
        row |= {"episodes": environment.episodes, "published": printed.get(name)}
        rows.append(row | {"trials": _span(sizes[name]) if name in sizes else None})
    return None, pd.DataFrame(rows)


def _span(sizes: pd.Series) -> str:
    low, high = sizes.min(), sizes.max()
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
