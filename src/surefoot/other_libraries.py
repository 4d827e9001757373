"""Suggest calls that replace functions of rliable, marl-eval or scipy."""

_ARRAYS = "scores = {algorithm: array of runs x tasks}"
_CALLS = {
    "aggregate_metrics(scores)": "get_interval_estimates StratifiedBootstrap aggregate_scores library metrics "
    "bootstrap stratified_bootstrap create_matrices_for_rliable",
    'aggregate_metrics(scores, metrics=["iqm"])': "aggregate_iqm iqm trim_mean interquartile_mean",
    'aggregate_metrics(scores, metrics=["mean"])': "aggregate_mean mean",
    'aggregate_metrics(scores, metrics=["median"])': "aggregate_median median",
    'aggregate_metrics(scores, metrics=["optimality_gap"])': "aggregate_optimality_gap optimality_gap",
    "aggregate_metrics(scores).chart()": "plot_interval_estimates plot_utils plot_aggregate_metrics",
    "performance_profiles(scores)": "create_performance_profile performance_profile run_score_deviation "
    "score_distributions run_score_distribution average_score_distribution",
    "performance_profiles(scores).chart()": "plot_performance_profiles plot_performance_profile",
    'probability_of_improvement({"a": x, "b": y})': "prob_improvement improvement mannwhitneyu ranksums",
    "probability_of_improvement(scores).chart()": "plot_probability_of_improvement",
    "sample_efficiency(curves)": "sample_efficiency_curve sample_efficiency_curves",
    "sample_efficiency(curves).chart()": "plot_sample_efficiency_curve plot_single_task",
    "rank_probabilities(scores)": "ranks rankdata average_ranks",
    "pairwise_differences(scores)": "ttest_ind welch_test permutation_test",
    "multiple_comparisons(scores)": "tukey_hsd friedmanchisquare f_oneway compare",
    'multiple_comparisons(scores, baseline="a")': "dunnett",
    "plan_runs(scores)": "power power_analysis sample_size",
    "read_runs(folder)": "data_process_pipeline load_runs",
    "normalize_scores(scores)": "normalize normalise_scores human_normalized_scores",
}
_CALL_OF = {name: call for call, names in _CALLS.items() for name in names.split()}


def call_for(name: str) -> str | None:
    """Return the equivalent call for a function of another library, or None for any other name."""
    call = _CALL_OF.get(name)
    if call is None:
        return None
    return f"surefoot.{call}" + (f", with {_ARRAYS}" if "(scores" in call else "")
