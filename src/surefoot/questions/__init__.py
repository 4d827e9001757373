"""Questions of run tables: points, intervals, and whether these can be trusted."""

MODULES = (
    "aggregates",
    "coverage",
    "curves",
    "differences",
    "exploits",
    "game",
    "game_intervals",
    "how_many_runs",
    "improvement",
    "plays",
    "profiles",
    "subsamples",
    "tasks",
)
"""The modules that have questions; add yours here."""
