"""Statistics: pure functions of arrays and run tables, grouped by subject.

runs          runs as arrays, their order, their common scales; whether runs have effects across tasks
game          performance percentiles, the game and its scores, other normalizations and what moves them
intervals     intervals for the scores of the game, bands for distributions: a catalogue, a module for each method
metrics       one number for all scores of an algorithm: a catalogue
resampling    the stratified bootstrap of metrics, and intervals from its replicates
profiles      performance profiles and curves, with bands
comparison    algorithms beside one another: improvement, differences, ranks, sequential comparison
coverage      whether intervals hold their level: data sets whose truth is known, and what is counted in them
planning      how many runs are needed
reproduction  printed numbers beside ours: items, tolerances, verdicts

Where `scores` are those of one algorithm, they are float64[runs, tasks], or one array of scores a task; these may
differ in length. Random functions take seed, name (the algorithm's) and tasks (their names), which key the streams, and
threads, which change nothing.
"""
