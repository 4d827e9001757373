"""Questions, which are the public functions that analyse run tables, and the kinds of analyses in studies."""

MODULES = (
    "aggregates",
    "coverage",
    "curves",
    "differences",
    "evaluation_scores",
    "exploits",
    "game",
    "improvement",
    "multiple_comparisons",
    "plays",
    "profiles",
    "run_curves",
    "plan_runs",
    "sequential",
    "sequential_success_rates",
    "subsamples",
    "success_rates",
    "tuning",
)
"""Modules that define questions. Add new modules here."""
