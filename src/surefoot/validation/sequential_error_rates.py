"""Error rates of sequential comparisons, and the number of runs that they require.

sequential_level : comparisons of two equal algorithms after every run, with dependent tasks. A difference detected
    after any run is a false alarm. For one or both algorithms, each run has an effect on all tasks, which is a
    correlation between the scores of tasks, or a failure on all tasks. The same comparisons with a true difference
    between the algorithms show how many runs each choice of `tasks_independent` needs.
group_sequential : comparisons of two or three algorithms at five looks, after groups of five runs. The algorithms are
    equal, or one is better by two standard deviations of a run's mean over tasks. A comparison fails if it separates
    two equal algorithms. In further cases, two algorithms have equal means, and one of them collapses in some runs.
    Since their distributions differ, they may be separated, and these cases count how often this happens.
sequential_success_rates : two success rates, compared after every pair of trials. The rates are .05, .15, ..., .95,
    with up to 500 trials of each, as in the simulation of STEP (Snyder et al., arXiv 2503.10966, 2025). A comparison
    fails if it separates equal rates, or unequal rates in the wrong direction.

Nothing is resampled, so `n_resamples` has no effect.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.comparison.anytime_comparison import left_out, round_bets, round_outcomes
from surefoot.statistics.comparison.group_sequential import group_sequential as compare_groups
from surefoot.statistics.comparison.success_rate_differences import pair_evidence
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Study, failure_table
from surefoot.statistics.coverage.simulated_scores import population, scores_of, simulated_scores, uniform_numbers
from surefoot.statistics.runs.shared_run_test import running_inflation
from surefoot.streams import stream_key

_CHOICES: dict[str, bool | str] = {
    "tasks independent": True,
    "any dependence": False,
    "chosen by the runs (auto)": "auto",
}
_GAIN = 0.25
_FAILED = -100.0


def _cell(
    tasks: int, rounds: int, correlations: tuple[float, float], law: str = "normal", failures: float = 0.0
) -> dict[str, Any]:
    effect = f"effect of runs {correlations[0]:g} and {correlations[1]:g}"
    if failures:
        effect = f"all tasks fail in {100 * failures:g} % of runs"
    data = f"{law}, {effect}"
    settings = {"law": law, "tasks": tasks, "correlations": list(correlations), "failures": failures, "rounds": rounds}
    return {"name": f"{data}, {tasks} tasks, {rounds} rounds", "data": data} | settings


_NONE = (0.0, 0.0)
_KINDS: list[tuple[Any, ...]] = [(_NONE,), ((0.1, 0.0),), ((0.3, 0.0),), ((1.0, 0.0),), ((0.3, 0.3),)]
_KINDS += [((0.3, 0.0), "two_point"), (_NONE, "normal", 0.02), (_NONE, "normal", 0.1)]
_EFFECT_CELLS = [_cell(tasks, 50, *kind) for tasks in (5, 26) for kind in _KINDS]
_EFFECT_CELLS += [_cell(2, 100, (0.3, 0.3)), _cell(26, 150, _NONE, failures=0.005)]
"""Cases with effects of several sizes, 2 to 26 tasks, other distributions, and failures on all tasks at once."""


def _cover_every_run(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count false alarms for each choice of `tasks_independent`, and detections in comparisons with a difference.

    Additional columns: detected (fraction of the comparisons with a difference that detect it), rounds_needed (median
    number of rounds until then; infinite if fewer than half detect it), remarked (fraction of the comparisons without a
    difference in which dependence between tasks is detected).
    """
    ever = np.empty((len(_CHOICES), datasets))
    needed = np.empty_like(ever)
    remarked = np.zeros(datasets, bool)
    for number in range(datasets):
        x, y = (_scores(cell, side, seed, number) for side in (0, 1))
        outcomes = round_outcomes(x, y)
        remarked[number] = running_inflation(outcomes)[1][-1] > 1.0
        better = round_outcomes(x + _GAIN, y)
        for place, choice in enumerate(_CHOICES.values()):
            ever[place, number] = math.isfinite(decided_after(round_bets(outcomes, choice)))
            needed[place, number] = decided_after(round_bets(better, choice))
    rows = [
        {"method": method, "target": "false alarm", "failures": int(ever[place].sum()), "recommended": choice == "auto"}
        | {"detected": np.isfinite(needed[place]).mean(), "rounds_needed": np.median(needed[place])}
        | {"remarked": remarked.mean()}
        for place, (method, choice) in enumerate(_CHOICES.items())
    ]
    about = {"data": cell["data"], "runs": cell["rounds"], "algorithms": 2}
    return failure_table("sequential comparison", cell, datasets, rows, **about)


def decided_after(bets: Floats) -> float:
    """Return the first round after which the confidence sequence excludes 1/2; infinite if there is none.

    bets : result of `round_bets`
    """
    reached = left_out(bets, 0.5, CONFIDENCE)
    return float(reached.argmax() + 1) if reached.any() else np.inf


def _scores(cell: Mapping[str, Any], side: int, seed: int, number: int) -> Floats:
    """Simulate scores of one of the two algorithms, float64[rounds, tasks]; failed runs score less than all others."""
    name = f"{cell['name']}/{side}"
    rounds = cell["rounds"]
    scores = simulated_scores(cell["law"], rounds, cell["tasks"], cell["correlations"][side], seed, name, number)
    luck = simulated_scores("normal", rounds, 1, 0.0, seed, f"{name}/failures", number)[:, 0]
    if cell["failures"]:
        scores[luck < np.quantile(population("normal"), cell["failures"])] = _FAILED
    return scores


sequential_level = Study(_EFFECT_CELLS, _cover_every_run)


_LEVEL = 0.05
_LOOKS = 5
_GROUP = 5
_BETTER = 2.0
_PILOTS = 1000
_LAWS = ("alike", "skewed", "failures", "tied", "two_point")


_GROUP_CELLS: list[dict[str, Any]] = [
    {"name": f"{count} {law}, {tasks} tasks{', one better' * better}", "law": law, "count": count, "tasks": tasks}
    | {"better": better}
    for law in _LAWS
    for count in (2, 3)
    for tasks in (1, 5)
    for better in (False, True)
]
"""Cases with different distributions, numbers of algorithms and tasks, and true differences."""
_GROUP_CELLS += [
    {"name": f"equal means, {100 * share:g} % of runs collapse, {group} runs a look", "law": "equal means", "count": 2}
    | {"tasks": 1, "better": False, "group": group, "share": share}
    for share in (0.1, 0.2, 0.4)
    for group in (5, 10, 20)
]
"""Cases in which all runs of one algorithm score about .8; runs of the other collapse or score more."""
_MIDDLE = 0.8
_SPREAD = 0.05


def _cover_groups(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count how often group-sequential comparisons separate equal algorithms.

    Additional columns: power (fraction of the differing pairs that are separated; NaN if all are equal) and used (mean
    number of runs per algorithm).
    """
    subject = "group sequential"
    case = f"{subject}/{cell['name']}"
    group = cell.get("group", _GROUP)
    equal_means = "share" in cell
    outcomes = np.empty((datasets, 3))
    for number in range(datasets):
        shape = (cell["count"], _LOOKS * group, cell["tasks"])
        if equal_means:
            means = _collapsing(uniform_numbers((*shape[:2], 2), seed, case, number), cell["share"])
        else:
            means = scores_of(cell["law"], uniform_numbers(shape, seed, case, number)).mean(axis=-1)
        if cell["better"]:
            pilot = uniform_numbers((_PILOTS, cell["tasks"]), seed, f"{case}/pilot", 0)
            means[0] += _BETTER * scores_of(cell["law"], pilot).mean(axis=-1).std()
        key = int(stream_key(seed, "trust", subject, cell["name"], number)[0] % 2**31)
        decided = compare_groups(means.reshape(cell["count"], _LOOKS, group), _LOOKS, 1.0 - _LEVEL, key)
        differ = (decided.x == 0) & cell["better"]
        apart = decided.separated > 0
        power = float(apart[differ].mean()) if differ.any() else np.nan
        outcomes[number] = apart[~differ].any(), power, group * float(decided.groups.mean())
    row = {"method": "permutations", "target": "any pair", "failures": int(outcomes[:, 0].sum()), "recommended": True}
    if equal_means:
        row |= {"target": "equal means", "recommended": False, "remark": "the distributions differ, not the means"}
    row |= {"power": outcomes[:, 1].mean(), "used": outcomes[:, 2].mean()}
    about = {"data": cell["law"], "runs": _LOOKS * group, "algorithms": cell["count"], "nominal": _LEVEL}
    return failure_table(subject, cell, datasets, [row], **about)


def _collapsing(uniforms: Floats, share: float) -> Floats:
    """Simulate scores of two algorithms with equal means, float64[2, runs]; only the second one collapses.

    share : fraction of runs that collapse
    """
    noise = _SPREAD * ndtri(uniforms[..., 0])
    collapsed = np.where(uniforms[1, :, 1] < share, 0.0, _MIDDLE / (1.0 - share))
    return np.asarray(np.stack([np.full(collapsed.shape, _MIDDLE), collapsed]) + noise)


group_sequential = Study(_GROUP_CELLS, _cover_groups)


_TRIALS = 500


_RATES = [round(0.05 + 0.1 * step, 2) for step in range(10)]
_RATE_CELLS = [{"name": f"rates {x:g} and {y:g}", "rates": [x, y]} for x in _RATES for y in _RATES if x <= y]
"""Ten pairs of equal rates, and 45 pairs of unequal rates."""


def _cover_every_trial(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count how often sequential comparisons of success rates separate them wrongly.

    Additional columns: power (fraction of comparisons that separate the rates correctly; NaN for equal rates) and used
    (mean number of trials of each until the separation, or 500 without a separation).
    """
    subject = "sequential success rates"
    x, y = cell["rates"]
    uniforms = np.array([uniform_numbers((2, _TRIALS), seed, f"{subject}/{x}/{y}", one) for one in range(datasets)])
    first = (uniforms[:, 0] < x).astype(np.float64)
    second = (uniforms[:, 1] < y).astype(np.float64)
    evidence = np.stack([pair_evidence(first, second), pair_evidence(second, first)])
    reached: Booleans = np.asarray(evidence >= 2.0 / _LEVEL)
    wrongly = reached[0].any(axis=1)
    rightly = reached[1].any(axis=1)
    used = np.where(wrongly | rightly, reached.any(axis=0).argmax(axis=1) + 1, _TRIALS)
    failed = wrongly | rightly if x == y else wrongly
    row = {"method": "betting on pairs", "target": "success rate", "failures": int(failed.sum()), "recommended": True}
    row |= {"power": np.nan if x == y else rightly.mean(), "used": used.mean()}
    about = {"data": f"gap {y - x:g}", "runs": _TRIALS, "tasks": 1, "algorithms": 2, "nominal": _LEVEL}
    return failure_table(subject, cell, datasets, [row], **about)


sequential_success_rates = Study(_RATE_CELLS, _cover_every_trial)
