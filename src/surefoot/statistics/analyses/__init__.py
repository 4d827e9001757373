"""Analyses of sets of scores, one function a kind: `kind(sets, options)` gives the numbers of a figure as a table.

sets : tables of normalized scores by name, with columns algorithm, environment, run, score
options : what the configuration says of the analysis, and seed, confidence, replicates and threads
"""
