"""Questions of run tables: points, intervals, and whether these can be trusted."""

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
    "run_plans",
    "sequential",
    "sequential_success_rates",
    "subsamples",
    "success_rates",
    "tuning",
)
"""The modules that have questions; add yours here."""
