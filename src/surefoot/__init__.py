"""Surefoot: how good a reinforcement-learning algorithm is, and how sure we can be of it.

As a library: each question is a function of runs, such as `surefoot.aggregate_metrics(scores)`, with the name and the
settings that it has in a study; `dir(surefoot)` lists them, and `help(surefoot.aggregate_metrics)` says what one takes
and answers. Runs are a table (one row per run: algorithm, environment, run, score) or a dict of arrays, runs x tasks,
one per algorithm. A result has the methods `table`, `tables` and `notes`; most have `chart`, and some `finding`.
Questions that few need are in the modules of `surefoot.questions`.
"""

import lazy_loader

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
