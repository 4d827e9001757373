"""Studies of whether intervals can be trusted: simulated data whose truth is known, one module a subject.

A module has two functions. `cells()` gives its cases, small dictionaries with a unique "name"; `cover(cell, datasets,
replicates, seed)` simulates that many data sets of a case and counts how often each method misses the truth. The module
`mutations` is no such subject: it checks comparisons with published numbers.
"""
