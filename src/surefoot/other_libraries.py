"""Suggest calls that replace functions of rliable, marl-eval or scipy, and methods of a pandas table."""

import pandas as pd

from surefoot.errors import near

_ARRAYS = "scores = {algorithm: array of runs x tasks}"
_CALLS = {
    "aggregate_metrics(scores)": "get_interval_estimates StratifiedBootstrap aggregate_scores library metrics "
    "bootstrap stratified_bootstrap create_matrices_for_rliable rly rliable marl_eval confidence_intervals "
    "confidence_interval from_dataframe from_pandas",
    "aggregate_metrics(scores).latex()": "latex_table to_latex tabular_results",
    'aggregate_metrics(scores, metrics=["iqm"])': "aggregate_iqm iqm trim_mean interquartile_mean",
    'aggregate_metrics(scores, metrics=["mean"])': "aggregate_mean mean",
    'aggregate_metrics(scores, metrics=["median"])': "aggregate_median median",
    'aggregate_metrics(scores, metrics=["optimality_gap"])': "aggregate_optimality_gap optimality_gap",
    "aggregate_metrics(scores).chart()": "plot_interval_estimates plot_utils plot_aggregate_metrics plot",
    "performance_profiles(scores)": "create_performance_profile performance_profile run_score_deviation "
    "score_distributions score_distribution run_score_distribution average_score_distribution",
    "performance_profiles(scores).chart()": "plot_performance_profiles plot_performance_profile",
    'probability_of_improvement({"a": x, "b": y})': "prob_improvement improvement mannwhitneyu ranksums",
    "probability_of_improvement(scores).chart()": "plot_probability_of_improvement",
    "sample_efficiency(curves)": "sample_efficiency_curve sample_efficiency_curves "
    "environment_sample_efficiency_curves learning_curves",
    "sample_efficiency(curves).chart()": "plot_sample_efficiency_curve plot_single_task",
    "rank_probabilities(scores)": "ranks rankdata average_ranks average_rank",
    "pairwise_differences(scores)": "ttest_ind welch_test permutation_test",
    "multiple_comparisons(scores)": "tukey_hsd friedmanchisquare f_oneway compare",
    'multiple_comparisons(scores, baseline="a")': "dunnett",
    "plan_runs(scores)": "power power_analysis sample_size",
    "task_means(scores)": "tabulate describe",
    "read_runs(folder)": "data_process_pipeline load_runs read_csv load from_csv",
    "normalize_scores(scores)": "normalize normalise_scores human_normalized_scores min_max "
    "minmax min_max_normalize minmax_normalize",
}
_CALL_OF = {name: call for call, names in _CALLS.items() for name in names.split()}


def call_for(name: str) -> str | None:
    """Return the equivalent call for a function of another library, or None for any other name."""
    call = _CALL_OF.get(name)
    if call is None:
        return None
    return f"surefoot.{call}" + (f", with {_ARRAYS}" if "(scores" in call else "")


_METHODS = {
    "chart()": "plot show draw figure fig plotly altair",
    'chart().save("figure.pdf")': "save savefig to_image",
    "latex()": "to_latex tex to_tex",
    "table()": "to_dataframe dataframe df data frame to_pandas results as_dataframe",
    "table(wide=True)": "pivot summary",
    "finding()": "conclusion text",
}
_METHOD_OF = {name: method for method, names in _METHODS.items() for name in names.split()}


def method_for(name: str, columns: list[str], methods: list[str]) -> str:
    """Return a hint for an attribute that a result does not have.

    Parameters
    ----------
    name : name of the attribute
    columns : columns of the result's table
    methods : methods of a result
    """
    if name in _METHOD_OF:
        return _METHOD_OF[name]
    if name in columns:
        return f'table()["{name}"]'
    if hasattr(pd.DataFrame, name):
        return f"table().{name}"
    close = near(name, methods)
    return f"did you mean {close[0]}()?" if close else f"use {', '.join(f'{one}()' for one in methods)}"
