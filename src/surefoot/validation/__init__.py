"""Studies of the coverage of intervals, with simulated data and known truth.

`SUBJECTS` maps the name of each `failure_rates.Study` to the module that defines it.
"""

SUBJECTS = {
    "payoff_limits": "intervals",
    "drawn_kinds": "drawn_kinds",
    "remarks": "remarks",
    "metric_intervals": "intervals",
    "difference_intervals": "differences",
    "improvement_intervals": "differences",
    "shared_run_test": "differences",
    "multiple_comparisons": "comparisons",
    "evaluation_scores": "comparisons",
    "profile_bands": "bands",
    "curve_bands": "bands",
    "planning_band": "bands",
    "sequential_level": "sequential",
    "group_sequential": "sequential",
    "sequential_success_rates": "sequential",
    "tuning": "tuning",
    "watched_intervals": "watched_intervals",
}
