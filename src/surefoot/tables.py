"""Columns of results' tables that hold names: texts, whatever they look like.

Light on purpose: the cells of a page import it.
"""

# An algorithm may be called 007, 1e3, NA or None, and a title may be a number.
TEXT_COLUMNS = frozenset(
    (
        *("algorithm", "environment", "opponent", "cell", "study", "stage", "part", "x", "y", "game", "env"),
        *("curve", "run_name"),
        *("title", "environment_title", "opponent_title"),
        *("variant", "parameters", "algorithms", "environments"),
        *("method", "aggregate", "item", "text", "source", "verdict", "reason", "finding", "effect"),
        *("scores", "metric", "profile", "protocol", "resampled", "quantity", "degrees_of_freedom"),
        *("scenario", "normalization", "procedure", "jumps", "view", "machine"),
        *("hyperparameters", "setting"),
        *("analysis", "made", "code", "configuration"),
        *("subject", "data", "target", "remark", "outcome", "shared_runs", "letters"),
    )
)
