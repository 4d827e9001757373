"""Studies of whether intervals can be trusted: simulated data whose truth is known.

Each subject is a `failure_rates.Study` of its name, in the module that `SUBJECTS` says.
"""

SUBJECTS = {
    "payoff_limits": "intervals",
    "drawn_kinds": "drawn_kinds",
    "remarks": "remarks",
    "metric_intervals": "intervals",
    "difference_intervals": "differences",
    "improvement_intervals": "differences",
    "run_effects": "differences",
    "multiple_comparisons": "comparisons",
    "evaluation_scores": "comparisons",
    "profile_bands": "bands",
    "curve_bands": "bands",
    "planning_band": "bands",
    "sequential_level": "sequential",
    "group_sequential": "sequential",
    "sequential_success_rates": "sequential",
    "tuning": "tuning",
}
