"""What can be drawn of named sets of scores, of how many runs are needed, and of trust: part of the catalogue."""

from surefoot.charts.drawing import Drawing, figure, table
from surefoot.charts.entries import shown_by


def _asked(question: str, title: str) -> Drawing:
    """A figure of the first question of a kind."""
    return figure(shown_by(question), (f"numbers/{question}",), title, ("record",), {"analysis": question})


METRICS = {
    "pairwise_differences": _asked("pairwise_differences", "Differences from the best algorithm"),
    "table_tasks": table(
        shown_by("task_means", "table"),
        ("estimate/task_means",),
        "Mean scores in each environment",
        (),
        {"analysis": "task_means"},
    ),
    "aggregates": _asked("aggregates", "Metrics with intervals"),
    "table_methods": table(
        shown_by("aggregates", "methods_table"),
        ("numbers/aggregates",),
        "Metrics with the intervals of each method",
        (),
        {"analysis": "aggregates"},
    ),
    "profiles": _asked("profiles", "Performance profiles"),
    "improvement": _asked("improvement", "Probability of improvement"),
    "ranks": _asked("ranks", "Ranks"),
    "subsamples": _asked("subsamples", "Ranges by number of runs"),
}

_RECORDED_ALARMS = ("recorded/false_alarm_rates", "record")
HOW_MANY_RUNS = {
    "how_many_runs": table(
        "surefoot.questions.how_many_runs_sentences:verdict",
        ("numbers/run_plans",),
        "Sentences of the page",
        ("numbers/sequential_comparison", "numbers/false_alarm_rates", *_RECORDED_ALARMS),
    ),
    "how_many_runs_widths": figure(
        shown_by("run_plans"), ("numbers/run_plans",), "Width of intervals by number of runs"
    ),
    "how_many_runs_chances": figure(
        shown_by("run_plans", "chances_chart"), ("numbers/run_plans",), "Chance to detect a lift by number of runs"
    ),
    "how_many_runs_needed": table(
        shown_by("run_plans", "needed_table"), ("numbers/run_plans",), "Runs that are needed to detect a lift"
    ),
    "sequential": figure(
        shown_by("sequential_comparison"),
        (),
        "Comparison of two algorithms after every run",
        ("numbers/sequential_comparison",),
    ),
    "false_alarms": figure(
        shown_by("false_alarm_rates"), (), "False alarms under continuous looking", ("numbers/false_alarm_rates",)
    ),
    "false_alarms_record": figure(
        shown_by("false_alarm_rates"),
        (),
        "The same from the record of a larger run",
        _RECORDED_ALARMS,
        {"analysis": "recorded/false_alarm_rates"},
    ),
}

_TRUST = "surefoot.charts.trust"
_TRUST_SUBJECTS = {
    "payoff_limits": "Failure rates of limits of payoffs and of aggregate scores",
    "metric_intervals": "Failure rates of intervals of aggregate metrics",
    "difference_intervals": "Failure rates of intervals of differences between algorithms",
    "improvement_intervals": "Failure rates of intervals of the probability of improvement",
    "profile_bands": "Failure rates of bands of performance profiles",
    "curve_bands": "Failure rates of bands of learning curves",
    "run_effects": "Failure rates of intervals where runs share luck across tasks",
    "sequential_level": "False alarms of the comparison after every run",
    "planning_band": "Failure rates of the bands around planned widths and chances",
}
_TRUST_TARGETS = {
    "payoff_limits": ("all payoffs", "all scores"),
    "metric_intervals": ("iqm", "mean", "median", "optimality_gap"),
    "difference_intervals": ("iqm", "mean", "median", "optimality_gap"),
    "profile_bands": ("whole profile", "one threshold"),
}
"""Of subjects with too many cases for one figure of all of them."""
_TRUST_TABLES = tuple(f"trust/{subject}" for subject in _TRUST_SUBJECTS)
_TRUST_KINDS = "surefoot.charts.trust_kinds"
TRUST = {
    "table_kinds": table(
        f"{_TRUST_KINDS}:table_kinds", ("trust/drawn_kinds",), "Failure rates over drawn kinds of studies"
    ),
    "table_worst_kinds": table(
        f"{_TRUST_KINDS}:table_worst_kinds", ("trust/drawn_kinds",), "The drawn kinds of studies that are missed most"
    ),
    "table_methods": table(f"{_TRUST}:table_methods", (), "Where each method holds its level", _TRUST_TABLES),
    "figure_answer": figure(f"{_TRUST}:answer_figure", (), "Failure rates by number of runs", _TRUST_TABLES),
    **{
        f"figure_{subject}": figure(
            f"{_TRUST}:worst_figure", (f"trust/{subject}",), title, setting={"subject": subject}
        )
        for subject, title in _TRUST_SUBJECTS.items()
    },
    **{
        f"figure_{subject}_{target.replace(' ', '_') or 'by_data'}": figure(
            f"{_TRUST}:subject_figure",
            (f"trust/{subject}",),
            f"{title}, all kinds of data",
            setting={"subject": subject, "target": target},
        )
        for subject, title in _TRUST_SUBJECTS.items()
        for target in _TRUST_TARGETS.get(subject, ("",))
    },
}
