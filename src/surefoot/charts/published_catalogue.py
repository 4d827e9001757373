"""What can be drawn of named sets of scores, of how many runs are needed, and of trust: part of the catalogue."""

from surefoot.charts.drawing import Drawing, figure, table


def _asked(function: str, question: str, title: str) -> Drawing:
    """A figure of a question of scores, or a remark where it is not asked."""
    needs = (f"numbers/{question}",)
    return figure(f"surefoot.charts.{function}", needs, title, ("record",), ("analysis", question))._replace(
        always=True
    )


METRICS = {
    "aggregates": _asked("metric_intervals:aggregate_figure", "aggregates", "Metrics with intervals"),
    "table_methods": table(
        "surefoot.charts.metric_intervals:table_methods",
        ("numbers/aggregates",),
        "Every kind of bootstrap interval",
        (),
        ("analysis", "aggregates"),
    )._replace(always=True),
    "profiles": _asked("score_profiles:profile_figure", "profiles", "Performance profiles"),
    "improvement": _asked("comparisons:improvement_figure", "improvement", "Probability of improvement"),
    "ranks": _asked("comparisons:rank_figure", "ranks", "Ranks"),
    "subsamples": _asked("subsamples:ranges_figure", "subsamples", "Ranges by number of runs"),
}

_HOW_MANY_RUNS = "surefoot.charts.how_many_runs"
_RECORDED_ALARMS = ("recorded/false_alarm_rates", "record")
HOW_MANY_RUNS = {
    "how_many_runs": table(
        f"{_HOW_MANY_RUNS}:verdict",
        ("numbers/run_plans",),
        "Sentences of the page",
        ("numbers/sequential_comparison", "numbers/false_alarm_rates", *_RECORDED_ALARMS),
    ),
    "how_many_runs_widths": figure(
        f"{_HOW_MANY_RUNS}:widths", ("numbers/run_plans",), "Width of intervals by number of runs"
    ),
    "how_many_runs_chances": figure(
        f"{_HOW_MANY_RUNS}:chances", ("numbers/run_plans",), "Chance to detect a lift by number of runs"
    ),
    "how_many_runs_needed": table(
        f"{_HOW_MANY_RUNS}:table_needed", ("numbers/run_plans",), "Runs that are needed to detect a lift"
    ),
    "sequential": figure(
        f"{_HOW_MANY_RUNS}:sequential",
        (),
        "Comparison of two algorithms after every run",
        ("numbers/sequential_comparison",),
    ),
    "false_alarms": figure(
        f"{_HOW_MANY_RUNS}:false_alarms", (), "False alarms under continuous looking", ("numbers/false_alarm_rates",)
    ),
    "false_alarms_record": figure(
        f"{_HOW_MANY_RUNS}:false_alarms",
        (),
        "The same from the record of a larger run",
        _RECORDED_ALARMS,
        ("analysis", "recorded/false_alarm_rates"),
    ),
}

_TRUST = "surefoot.charts.trust"
_TRUST_SUBJECTS = {
    "payoff_limits": "Failure rates of limits of payoffs and of aggregate scores",
    "metric_intervals": "Failure rates of intervals of aggregate metrics",
    "improvement_intervals": "Failure rates of intervals of the probability of improvement",
    "profile_bands": "Failure rates of bands of performance profiles",
    "curve_bands": "Failure rates of bands of learning curves",
    "run_effects": "Failure rates of intervals where runs share luck across tasks",
    "sequential_level": "False alarms of the comparison after every run",
    "planning_band": "Failure rates of the bands around planned widths and chances",
}
_TRUST_TABLES = tuple(f"trust/{subject}" for subject in _TRUST_SUBJECTS)
TRUST = {
    "verdict": table(f"{_TRUST}:verdict", (), "Sentences and counts of the page", _TRUST_TABLES),
    "table_methods": table(f"{_TRUST}:table_methods", (), "Where each method holds its level", _TRUST_TABLES),
    **{
        f"figure_{name}": figure(f"{_TRUST}:{function}", (f"trust/{subject}",), title, setting=("subject", subject))
        for subject, title in _TRUST_SUBJECTS.items()
        for name, function in ((subject, "worst_figure"), (f"{subject}_by_data", "subject_figure"))
    },
}
