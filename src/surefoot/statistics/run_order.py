"""The order of runs by their names: by the numbers in them, as a person would number runs one after the other."""

import re

import numpy as np
import pandas as pd

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def natural_order(names) -> pd.Series:
    """The place of each name in natural order, from 0; equal names have the same place.

    Numbers, and names that are nothing but a number, come first, by their value. Other names follow, compared part by
    part, texts as texts and whole numbers by their value: run2 stands before run10.

    Parameters
    ----------
    names : names of runs, texts or numbers, none missing; a Series (such as `sort_values(key=natural_order)` gives), an
        array or a list

    Returns
    -------
    int64 Series, with the index of names where they are a Series
    """
    names = names if isinstance(names, pd.Series) else pd.Series(list(names), dtype=object)
    codes, distinct = pd.factorize(names)
    by_rank = sorted(range(len(distinct)), key=lambda code: _sort_key(str(distinct[code])))
    places = np.empty(len(distinct), np.int64)
    places[by_rank] = np.arange(len(distinct))
    return pd.Series(places[codes], index=names.index)


def _sort_key(name):
    """What two names are compared by; the name itself comes last, so that 07 and 7 are always in one order."""
    parts = [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", name))]
    number = float(name) if _NUMBER.fullmatch(name) else np.inf
    return number, parts, name
