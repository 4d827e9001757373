"""Questions of run tables: point estimates, intervals, and checks of their coverage."""

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
