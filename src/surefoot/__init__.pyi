from .cli.reporting import report
from .questions.aggregates import aggregate_metrics, task_means
from .questions.curves import curve_differences, sample_efficiency
from .questions.differences import pairwise_differences, shared_run_test
from .questions.evaluation_scores import evaluation_scores, minimum_detectable_difference
from .questions.game import evaluation_game_intervals, evaluation_game_scores
from .questions.improvement import probability_of_improvement, rank_probabilities
from .questions.multiple_comparisons import multiple_comparisons
from .questions.plan_runs import plan_runs
from .questions.profiles import performance_profiles, time_profiles
from .questions.run_curves import run_curves, steps_to_threshold
from .questions.sequential import false_alarm_rates, group_sequential, sequential_comparison
from .questions.sequential_success_rates import sequential_success_rates
from .questions.subsamples import interval_coverage, subsample_metrics
from .questions.success_rates import rollouts_sample_size, success_rate_differences, success_rates
from .questions.tuning import effective_dimension, hyperparameter_selection, hyperparameter_sensitivity
from .runs.curves.alignment import align_curves
from .runs.curves.scores import score_curves, selection_bias
from .runs.logs.account import reading_account
from .runs.logs.folder_runs import read_runs
from .runs.logs.protocol_in_logs import protocol_card
from .runs.logs.run_table import summarize_runs
from .runs.scales.normalization import normalize_scores
from .runs.scales.published_scores import published_scores

__all__ = [
    "aggregate_metrics",
    "align_curves",
    "curve_differences",
    "effective_dimension",
    "evaluation_game_intervals",
    "evaluation_game_scores",
    "evaluation_scores",
    "false_alarm_rates",
    "group_sequential",
    "hyperparameter_selection",
    "hyperparameter_sensitivity",
    "interval_coverage",
    "minimum_detectable_difference",
    "multiple_comparisons",
    "normalize_scores",
    "pairwise_differences",
    "performance_profiles",
    "plan_runs",
    "probability_of_improvement",
    "protocol_card",
    "published_scores",
    "rank_probabilities",
    "read_runs",
    "reading_account",
    "report",
    "rollouts_sample_size",
    "run_curves",
    "sample_efficiency",
    "score_curves",
    "selection_bias",
    "sequential_comparison",
    "sequential_success_rates",
    "shared_run_test",
    "steps_to_threshold",
    "subsample_metrics",
    "success_rate_differences",
    "success_rates",
    "summarize_runs",
    "task_means",
    "time_profiles",
]
__version__: str
