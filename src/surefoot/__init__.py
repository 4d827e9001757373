"""Surefoot: how good is a reinforcement-learning algorithm, and how sure may we be of it?

As a library: functions on a table of scores (pandas, one row per run: algorithm, environment, run, score) or on a dict
of arrays, runs x tasks, one per algorithm. Each returns an object that keeps its resamples and answers more questions.

aggregate(scores, metrics)           metrics with intervals, differences and lifts
profiles(scores, thresholds)         performance profiles with bands
improvement(scores, pairs)           probability that one algorithm beats another
rank_distribution(scores)            how probable each rank of each algorithm is
sample_efficiency(curves)            metrics along the training
time_profiles(times, thresholds)     how often each method is within a factor of the fastest
plan_runs(pilot)                     how many runs are needed
sequential_comparison(scores, x, y)  a comparison that may be looked at after every run
run_effects(scores)                  what runs with the same number share across tasks
"""

from importlib import import_module

__version__ = "0.1.0"
_HOMES = {
    "aggregate": "surefoot.library.aggregates",
    "profiles": "surefoot.library.score_profiles",
    "improvement": "surefoot.library.improvements",
    "rank_distribution": "surefoot.library.improvements",
    "sample_efficiency": "surefoot.library.curves",
    "plan_runs": "surefoot.library.planning",
    "sequential_comparison": "surefoot.library.planning",
    "run_effects": "surefoot.library.run_effects",
    "time_profiles": "surefoot.library.time_profiles",
}
__all__ = [
    "aggregate",
    "improvement",
    "plan_runs",
    "profiles",
    "rank_distribution",
    "run_effects",
    "sample_efficiency",
    "sequential_comparison",
    "time_profiles",
]


def __getattr__(name: str):
    """The public functions, imported when they are first asked for."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_HOMES])
