"""Show errors of common tools by running them: python benchmarks/why_not.py OUT.txt [--peer-python PYTHON]

rliable, seaborn and rl_zoo3 are installed from benchmarks/why_not_requirements.txt into a new environment, unless
--peer-python names a Python that has them. docs/why_not.md quotes the output.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import numpy as np
import scipy
from scipy import stats

import surefoot
from surefoot.errors import HintedError

HERE = Path(__file__).resolve().parent
STUDIES = 400
"""Number of simulated studies of each kind: a share of 5 % is known within ±2 %, and a share of 20 % within ±4 %."""
TASKS = np.array([0.1, 0.2, 0.4, 0.6, 0.9, 1.5])
"""The mean scores of six tasks."""


def few_runs():
    """Return simulated studies with 5 runs in each of 6 tasks, float[STUDIES, 5, 6].

    Scores are normal with a standard deviation of a quarter of the task's mean.
    """
    return np.random.default_rng(1).normal(TASKS, TASKS / 4, (STUDIES, 5, TASKS.size))


def true_iqm():
    """Return the IQM of infinitely many runs like `few_runs`, by integration between the quartiles of the mixture."""

    def below(x):
        return stats.norm.cdf(x, TASKS, TASKS / 4).mean()

    low, high = (scipy.optimize.brentq(lambda x, p=p: below(x) - p, -1, 5) for p in (0.25, 0.75))
    grid = np.linspace(low, high, 20_001)
    density = stats.norm.pdf(grid[:, None], TASKS, TASKS / 4).mean(axis=1)
    return float(np.trapezoid(grid * density, grid) / 0.5)


def made_scores():
    """Return by name the arrays that the tools and Surefoot get."""
    rng = np.random.default_rng(2)
    levels = rng.normal(0, 1, (STUDIES, 3))
    table = np.random.default_rng(5).normal(np.linspace(0.1, 1.5, 10), 0.1, (5, 10))
    return {
        "few_runs": few_runs(),
        "iqm": true_iqm(),
        "five_by_ten": table,
        "ten_by_five": table.T,
        "three_runs": levels,
        # Ten evaluation episodes of each trained agent; episodes of an agent differ less than agents.
        "episodes": levels[:, :, None] + rng.normal(0, 0.5, (STUDIES, 3, 10)),
    }


def write_zoo_logs(folder):
    """Write logs of four runs of a million steps, and of one that ended early, in the layout of rl_zoo3."""
    rng = np.random.default_rng(3)
    for run in range(1, 6):
        steps = np.arange(100_000, 1_000_001 if run < 5 else 500_001, 100_000)
        level = 2000 if run < 5 else 200
        returns = rng.normal(level, 50, (steps.size, 10))
        place = folder / "zoo" / "ppo" / f"Hopper-v5_{run}"
        place.mkdir(parents=True)
        np.savez(place / "evaluations.npz", timesteps=steps, results=returns, ep_lengths=np.full(returns.shape, 1000))


def missed_by_surefoot(kind):
    """Return in how many studies of `few_runs` Surefoot's interval of the IQM does not contain the true IQM."""
    truth, count = true_iqm(), 0
    for number, scores in enumerate(few_runs()):
        found = surefoot.aggregate_metrics(
            {"a": scores}, metrics="iqm", methods=[kind], seed=number, skip_checks=True
        ).table()
        count += not found["low"][0] <= truth <= found["high"][0]
    return count


def missed_by_scipy(method):
    """Return in how many studies of 5 runs of one task the interval of `scipy.stats.bootstrap` misses the true mean."""
    rng = np.random.default_rng(4)
    count = 0
    for scores in rng.normal(0, 1, (STUDIES, 5)):
        limits = stats.bootstrap((scores,), np.mean, method=method, n_resamples=2000, rng=rng).confidence_interval
        count += not limits.low <= 0 <= limits.high
    return count


def missed_by_students_interval(scores):
    """Return in how many studies the Student interval of `surefoot.task_means` misses the true mean, 0.

    scores : float[studies, runs]
    """
    algorithms = {f"study {number}": runs[:, None] for number, runs in enumerate(scores)}
    found = surefoot.task_means(algorithms, skip_checks=True).table()
    return int(((found["low"] > 0) | (found["high"] < 0)).sum())


def overlapping_deviations(runs, difference=0.5):
    """Return in how many studies mean ± standard deviation of two algorithms overlap, although one is better."""
    rng = np.random.default_rng(6)
    worse, better = rng.normal(0, 1, (STUDIES, runs)), rng.normal(difference, 1, (STUDIES, runs))
    return int((worse.mean(1) + worse.std(1) > better.mean(1) - better.std(1)).sum())


def told_apart(runs, difference=0.5):
    """Return in how many studies of `overlapping_deviations` the interval of the difference is above 0."""
    rng = np.random.default_rng(6)
    worse, better = rng.normal(0, 1, (STUDIES, runs)), rng.normal(difference, 1, (STUDIES, runs))
    limits = stats.ttest_ind(better, worse, axis=1, equal_var=False).confidence_interval()
    return int((limits.low > 0).sum())


def share(count):
    return f"{100 * count / STUDIES:.1f} %"


def refusal(ask):
    """Return the message of the error that `ask` raises."""
    try:
        ask()
    except HintedError as error:
        return str(error)
    raise AssertionError("no error was raised")


def scipy_lines():
    scores = np.random.default_rng(4).normal(0, 1, (STUDIES, 5))
    return [
        f"scipy.stats.bootstrap {scipy.__version__}, mean of 5 runs, 95 % intervals of {STUDIES} simulated studies",
        f"  method='percentile' misses the truth in {share(missed_by_scipy('percentile'))}",
        f"  method='BCa'        misses the truth in {share(missed_by_scipy('BCa'))}",
        f"  surefoot.task_means misses the truth in {share(missed_by_students_interval(scores))}",
    ]


def deviation_lines():
    lines = [f"two algorithms, the better one by half a standard deviation of its runs, {STUDIES} simulated studies"]
    for runs in (5, 20, 100):
        overlap, apart = share(overlapping_deviations(runs)), share(told_apart(runs))
        lines.append(
            f"  {runs:3} runs: mean ± std overlap in {overlap}, the interval of the difference finds it in {apart}"
        )
    return lines


def peer_lines(found, scores, folder):
    episodes = share(found["seaborn_missed_episodes"])
    students = missed_by_students_interval(scores["three_runs"])
    name = {key: f"{key} {number}" for key, number in found["versions"].items()}
    zoo_curves = surefoot.read_runs(folder / "zoo", pattern="{algorithm}/{environment}_{seed}")
    five, ten = (found["swapped"][key] for key in ("five_by_ten", "ten_by_five"))
    return [
        [
            f"{name['rliable']}, IQM of 5 runs of 6 tasks, 95 % intervals of {STUDIES} simulated studies",
            f"  rliable                      misses the truth in {share(found['rliable_missed'])}",
            f"  surefoot, methods=percentile misses the truth in {share(missed_by_surefoot('percentile'))}",
            f"  surefoot, methods=student    misses the truth in {share(missed_by_surefoot('student'))}",
        ],
        [
            f"{name['rliable']}, IQM of one table of 5 runs of 10 tasks",
            f"  runs x tasks: {five[0]:.3f} to {five[1]:.3f}",
            f"  tasks x runs: {ten[0]:.3f} to {ten[1]:.3f}",
            f"  surefoot, tasks x runs: {refusal(lambda: surefoot.aggregate_metrics({'a': scores['ten_by_five']}))}",
        ],
        [
            f"{name['rliable']}, lower limit of the same interval, twice with random_state=RandomState(7)",
            f"  {found['seeded'][0]:.6f} and {found['seeded'][1]:.6f}",
        ],
        [
            f"{name['seaborn']}, lineplot's default band, {STUDIES} simulated steps of known mean",
            f"  3 runs:                          misses the truth at {share(found['seaborn_missed'])} of steps",
            f"  3 runs x 10 episodes as 30 rows: misses the truth at {episodes} of steps",
            f"  Student's interval of 3 runs:    misses the truth at {share(students)} of steps",
        ],
        [
            f"{name['rl_zoo3']}, all_plots of four runs near 2000 and one that ended early at 200",
            *(f"  {line}" for line in found["zoo"].splitlines() if line.strip()),
            f"  surefoot: {refusal(lambda: surefoot.score_curves(zoo_curves))}",
        ],
    ]


def run_peers(folder, python=None):
    """Return the results of the other tools, see why_not_peers.py."""
    if python is None:
        venv.create(folder / "peers", with_pip=True)
        python = folder / "peers" / ("Scripts" if os.name == "nt" else "bin") / "python"
        install = [python, "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, "-r", HERE / "why_not_requirements.txt"], check=True)
        # Its plots do not need the packages that it needs for training.
        subprocess.run([*install, "--no-deps", "rl_zoo3==2.9.2"], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-P", HERE / "why_not_peers.py", folder]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="where to write the results")
    parser.add_argument("--peer-python", type=Path, help="a Python that has the tools, instead of a new environment")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, scores = Path(name), made_scores()
        np.savez(folder / "scores.npz", **scores)
        write_zoo_logs(folder)
        found = run_peers(folder, arguments.peer_python)
        sections = [*peer_lines(found, scores, folder), scipy_lines(), deviation_lines()]
    text = "\n\n".join("\n".join(section) for section in sections) + "\n"
    text = text.replace(name, "runs")  # the folder was a temporary one
    arguments.out.write_text(text, encoding="utf-8")
    print(text, file=sys.stderr)


if __name__ == "__main__":
    main()
