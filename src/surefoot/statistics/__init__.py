"""Statistics: pure functions of arrays and run tables, grouped by subject.

runs          runs as arrays, their order and scales; tests for effects shared by tasks
game          performance percentiles, the evaluation game and its scores, other normalizations
intervals     intervals for scores of the evaluation game, and bands for distributions
metrics       metrics, which summarize all scores of an algorithm in one number
resampling    the stratified bootstrap of metrics, and intervals from its replicates
profiles      performance profiles and curves, with bands
comparison    comparisons of algorithms: improvement, differences, ranks, sequential comparison
coverage      coverage of intervals in simulated data sets with known truth
plan_runs     prediction of what studies with other numbers of runs would find
reproduction  comparison of published numbers with ours: items, tolerances, verdicts

The scores of one algorithm are float64[runs, tasks], or one array per task; these may differ in length. Functions that
draw random numbers take a seed, the name of the algorithm and the names of the tasks, which identify the random
streams. The number of threads does not change results.
"""
