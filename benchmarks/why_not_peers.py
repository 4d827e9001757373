"""Run other tools on the scores in FOLDER for benchmarks/why_not.py: python why_not_peers.py FOLDER

Runs in the environment of these tools. Prints JSON.
"""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
import pandas as pd
import seaborn
from matplotlib import pyplot
from rliable import library, metrics


def missed(limits, truth):
    """Return how many intervals, float[studies, 2], do not contain `truth`."""
    limits = np.asarray(limits)
    return int(((limits[:, 0] > truth) | (limits[:, 1] < truth)).sum())


def iqm_limits(scores, n_resamples=1000):
    """Return rliable's interval of the IQM of scores, float[runs, tasks]."""

    def iqm(table):
        return np.array([metrics.aggregate_iqm(table)])

    return library.get_interval_estimates({"a": scores}, iqm, reps=n_resamples)[1]["a"][:, 0]


def band_limits(rows):
    """Return the limits of the band that seaborn draws around the mean, float[studies, 2].

    rows : columns study (x) and score (y)
    """
    axes = seaborn.lineplot(rows, x="study", y="score", seed=0)
    corners = axes.collections[0].get_paths()[0].vertices
    pyplot.close("all")
    found = {}
    for x, y in corners:
        low, high = found.get(int(x), (np.inf, -np.inf))
        found[int(x)] = (min(low, y), max(high, y))
    return [found[x] for x in sorted(found)]


def long_rows(scores):
    """Return scores, float[studies, ...], as a table with the columns study and score."""
    return pd.DataFrame({"study": np.repeat(np.arange(len(scores)), scores[0].size), "score": scores.ravel()})


def zoo_table(folder):
    """Return the text that rl_zoo3's all_plots prints for a folder of logs."""
    path = next(Path(place, "rl_zoo3/plots/all_plots.py") for place in sys.path if Path(place, "rl_zoo3").is_dir())
    program = f"import matplotlib; matplotlib.use('Agg')\nexec(open({str(path)!r}).read())"
    words = ["-a", "ppo", "-e", "Hopper-v5", "-f", "zoo", "--no-display"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def main(folder):
    given = np.load(folder / "scores.npz")
    np.random.seed(0)  # noqa: NPY002 (rliable draws from it, whatever its argument random_state)
    iqm = [iqm_limits(scores) for scores in given["few_runs"]]
    swapped = {name: iqm_limits(given[name]).tolist() for name in ("five_by_ten", "ten_by_five")}
    np.random.seed(1)  # noqa: NPY002
    state = [library.StratifiedBootstrap(given["five_by_ten"], random_state=np.random.RandomState(7)) for _ in range(2)]
    seeded = [
        float(one.conf_int(lambda x: np.array([metrics.aggregate_iqm(x)]), reps=200)[0, 0].round(6)) for one in state
    ]
    print(
        json.dumps(
            {
                "versions": {name: version(name) for name in ("rliable", "seaborn", "rl_zoo3", "scipy")},
                "rliable_missed": missed(iqm, float(given["iqm"])),
                "swapped": swapped,
                "seeded": seeded,
                "seaborn_missed": missed(band_limits(long_rows(given["three_runs"])), 0.0),
                "seaborn_missed_episodes": missed(band_limits(long_rows(given["episodes"])), 0.0),
                "zoo": zoo_table(folder),
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
