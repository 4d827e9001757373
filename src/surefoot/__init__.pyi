from .cli.reporting import report
from .questions.aggregates import aggregates, task_means
from .questions.curves import curve_differences, sample_efficiency
from .questions.differences import pairwise_differences, run_effects
from .questions.evaluation_scores import detectable_difference, evaluation_scores
from .questions.game import game_intervals, game_scores
from .questions.improvement import improvement, ranks
from .questions.multiple_comparisons import multiple_comparisons
from .questions.profiles import profiles, time_profiles
from .questions.run_curves import run_curves, steps_to_threshold
from .questions.run_plans import run_plans
from .questions.sequential import false_alarm_rates, group_sequential, sequential_comparison
from .questions.sequential_success_rates import sequential_success_rates
from .questions.subsamples import coverages, subsamples
from .questions.success_rates import rollouts_needed, success_rate_differences, success_rates
from .questions.tuning import effective_dimension, hyperparameter_selection, hyperparameter_sensitivity
from .runs.curves.alignment import aligned_curves
from .runs.curves.scores import scores_of_curves, selection_bias
from .runs.logs.account import reading_account
from .runs.logs.protocol_in_logs import protocol_card
from .runs.logs.reading import read_runs
from .runs.logs.summary import what_was_found
from .runs.scales.functions import normalized_scores
from .runs.scales.published_scores import published_scores

__all__ = [
    "aggregates",
    "aligned_curves",
    "coverages",
    "curve_differences",
    "detectable_difference",
    "effective_dimension",
    "evaluation_scores",
    "false_alarm_rates",
    "game_intervals",
    "game_scores",
    "group_sequential",
    "hyperparameter_selection",
    "hyperparameter_sensitivity",
    "improvement",
    "multiple_comparisons",
    "normalized_scores",
    "pairwise_differences",
    "profiles",
    "protocol_card",
    "published_scores",
    "ranks",
    "read_runs",
    "reading_account",
    "report",
    "rollouts_needed",
    "run_curves",
    "run_effects",
    "run_plans",
    "sample_efficiency",
    "scores_of_curves",
    "selection_bias",
    "sequential_comparison",
    "sequential_success_rates",
    "steps_to_threshold",
    "subsamples",
    "success_rate_differences",
    "success_rates",
    "task_means",
    "time_profiles",
    "what_was_found",
]
__version__: str
