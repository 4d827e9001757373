"""The names of runs: when two are the same number, and the order in which a person would number them."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LONGEST = 30


def natural_order(names: Iterable[object]) -> pd.Series:
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
    column = names if isinstance(names, pd.Series) else pd.Series(list(names), dtype=object)
    codes, distinct = pd.factorize(column)
    by_rank = sorted(range(len(distinct)), key=lambda code: _sort_key(str(distinct[code])))
    places = np.empty(len(distinct), np.int64)
    places[by_rank] = np.arange(len(distinct))
    return pd.Series(places[codes], index=column.index)


def plain_names(names: pd.Series) -> pd.Series:
    """The names as texts, numbers in one way of writing: 01, 1.0 and 1e0 are 1, and so are the same run.

    Parameters
    ----------
    names : none missing; a column of numbers is left as it is
    """
    if pd.api.types.is_numeric_dtype(names):
        return names
    texts = names.astype(str).str.strip()
    return texts.map({name: _plain_name(name) for name in texts.unique()})


def _plain_name(name: str) -> str:
    """Decimals, since seeds may have more digits than a float holds."""
    if not _NUMBER.fullmatch(name):
        return name
    number = Decimal(name)
    short = abs(number.adjusted()) < _LONGEST and len(number.as_tuple().digits) < _LONGEST
    if short and number == number.to_integral_value():
        return str(int(number))
    return str(number.normalize()) if short else name


def _sort_key(name: str) -> tuple[Any, ...]:
    """What two names are compared by; the name itself comes last, so that 07 and 7 are always in one order."""
    parts = [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", name))]
    number = float(name) if _NUMBER.fullmatch(name) else np.inf
    return number, parts, name
