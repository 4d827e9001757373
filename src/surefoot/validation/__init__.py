"""Studies of the coverage of intervals, with simulated data and known truth.

`SUBJECTS` maps the name of each `failure_rates.Study` to the module that defines it.
"""

SUBJECTS = {
    "payoff_limits": "intervals",
    "drawn_kinds": "drawn_kinds",
    "remarks": "remarks",
    "metric_intervals": "intervals",
    "difference_intervals": "difference_coverage",
    "improvement_intervals": "difference_coverage",
    "shared_run_test": "difference_coverage",
    "multiple_comparisons": "comparisons",
    "evaluation_scores": "comparisons",
    "profile_bands": "band_coverage",
    "curve_bands": "band_coverage",
    "planning_band": "band_coverage",
    "sequential_level": "sequential_error_rates",
    "group_sequential": "sequential_error_rates",
    "sequential_success_rates": "sequential_error_rates",
    "tuning": "sensitivity_coverage",
    "watched_intervals": "watched_intervals",
}
