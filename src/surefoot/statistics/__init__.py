"""Statistics: performance percentiles and other normalizations, the game and its scores, intervals, their coverage,
bands, ranks, comparison with published numbers; and the statistics of scores of runs on tasks.

Of the latter (Agarwal et al. 2021), pure functions on arrays. `scores` are those of one algorithm: float64[runs, tasks]
or one array of scores a task, which may differ in length. Random functions take seed, name (the algorithm's) and
tasks (their names), which key the streams, and threads, which change nothing.

metrics                 metric(written) -> Metric; METRICS, FOUR_METRICS
stratified_bootstrap    metric_values(scores, metrics) -> float64[metrics]
                        replicate_metrics(scores, metrics, replicates, seed, name, tasks, resampled="runs", draws=None,
                        threads=1) -> float64[replicates, metrics]; draws = N with resampled "whole_runs" or "runs"
                        subsamples N runs; "paired_runs" draws the same runs for any name
interval_methods        interval(replicates, estimate, method="percentile", confidence=0.95, acceleration=None,
                        ties="strict", magnitude=0.0, spread=None)
                        -> Interval(low, high, bias_correction, acceleration); METHODS
interval_remarks        metric_remark(method, metric_name, sizes, confidence, degrees) -> text, empty where it is held
jackknife               row_acceleration(scores, metrics), stratified_acceleration(scores, metrics) -> float64[metrics];
                        spread_of_few_runs(scores, metrics) -> Spread(stretch, degrees), for the method student
ties                    score_places(samples, decimals="relative"), exceeds(x, y, scale): equal but for rounding
profiles                profile(scores, thresholds, kind="run_scores") -> float64[thresholds]; KINDS
                        replicate_profiles(scores, thresholds, kind, replicates, seed, name, tasks, resampled, threads)
                        -> float64[replicates, thresholds]
                        dominates(x, y) -> bool; nonlinear_positions(profiles) -> float64[thresholds]
profile_bands           profile_band(scores, thresholds, kind, band, confidence, resampled, replicates) -> (low, high);
                        profile_remark(scores, kind, band); BANDS
curve_bands             pointwise_band(replicates, confidence),
                        simultaneous_curve_band(replicates, values, sizes, confidence, metric) -> (low, high)
improvement             probability_of_improvement(x, y, decimals="relative") -> Improvement(probability, ties, by_task)
                        replicate_improvement(x, y, replicates, seed, names, tasks, decimals, threads)
                        -> float64[replicates]
rank_distributions      rank_distributions(scores of k algorithms) -> float64[tasks, k, k], algorithm by rank;
                        simulated_rank_distributions(scores, draws, seed, tasks)
sample_efficiency       replicate_curves(curves, metrics, ...) -> float64[replicates, steps, metrics], whole runs;
                        curve_values(curves, metrics); curves: float64[runs, steps] for each task
comparisons             difference(x, y), lift_percent(x, y) of replicates; replicate_paired(x, y, metrics, ...);
                        raised(scores, lift) -> scores; check_raised(scores, metrics, lifts)
published_means         mean_t_interval(means, standard_deviations, runs, confidence, tasks_independent)
coverage_summary        level_to_ask_for(coverages) -> table
metric_coverage         cover_metrics_block(population, size, first, count, MetricCoverage(...)) -> intervals;
                        summarize_metric_coverage(intervals, metrics, truth) -> table
protocols               best_setting_means(scores, settings, runs, replicates, seed) -> float64[replicates, tasks]
planning                how many runs are needed: plan(pilot, metrics, sizes, lifts, ...) -> (widths, chances);
                        runs_needed(chances, metric, lift_percent, chance)
sequential              looked at after every run: round_outcomes(x, y) -> float64[rounds, tasks],
                        confidence_sequence(outcomes), evidence(outcomes), ordinary_limits(x, y, ...);
                        false_alarms(x, y, rounds, experiments, ...) -> table
"""
