"""Surefoot: estimate how good reinforcement-learning algorithms are, and how certain those estimates are.

In the library, each question is a function of runs, such as `surefoot.aggregate_metrics(scores)`, with the same name
and settings as in a study. `dir(surefoot)` lists the functions, and `help(surefoot.aggregate_metrics)` describes one.
Runs are a table (one row per run: algorithm, environment, run, score) or a dict of arrays, runs x tasks, one per
algorithm. A result has the methods `table`, `tables` and `notes`; most have `chart`, and some `finding`. Less common
questions are in the modules of `surefoot.questions`.
"""

import sys
from typing import Any

import lazy_loader

__version__ = "0.1.0"
_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """Import a public function on first use; for names of rliable, marl-eval or scipy, suggest what to call instead."""
    try:
        return _public(name)
    except AttributeError:
        if name.startswith("__"):
            raise
        from surefoot.errors import near
        from surefoot.other_libraries import call_for

        call = call_for(name)
        close = " or ".join(f"surefoot.{one}" for one in near(name, __all__))
        hint = call or (f"did you mean {close}?" if close else "dir(surefoot) lists the functions")
        # `from surefoot import name` hides the message of an AttributeError, which submodules need.
        is_imported = call is not None and sys._getframe(1).f_code.co_name == "_handle_fromlist"
        error = ImportError if is_imported else AttributeError
        raise error(f"surefoot has no {name}. Hint: {hint}") from None
