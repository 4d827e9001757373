"""What a published number is about: a quantity, and names of what it is of.

In tables and files an item is one text, such as ``mean/acrobot/sarsa`` or ``claim/separated/pbp/sarsa/q``. Nothing else
knows how that text is made or read.
"""

from collections.abc import Hashable
from typing import NamedTuple

import pandas as pd

from surefoot.errors import HintedError

_SEPARATOR = "/"
CLAIM = "claim"
"""The quantity of items that are claims."""


class Item(NamedTuple):
    """What a published number is about.

    quantity : such as mean, game_score_low or claim
    of : names of what it is of, such as (environment, algorithm); of a claim, its kind comes first
    """

    quantity: str
    of: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As in tables and files."""
        return _SEPARATOR.join((self.quantity, *self.of))


def item_text(quantity: str, *of: Hashable) -> str:
    """The text of the item of this quantity and of these names, which may be numbers as well."""
    return Item(quantity, tuple(map(str, of))).text


def read_item(text: str) -> Item:
    """The item that a text names."""
    quantity, *of = text.split(_SEPARATOR)
    return Item(quantity, tuple(of))


def item_texts(quantity: str | pd.Series, *of: str | pd.Series) -> pd.Series:
    """The texts of the items of each row, of which at least one is a column; missing where one is."""
    texts = quantity
    for names in of:
        texts = texts + _SEPARATOR + names
    return texts


def quantities(items: pd.Series) -> pd.Series:
    """The quantity of each item, with the index of the items."""
    return items.map(lambda text: read_item(text).quantity)


def of_quantity(table: pd.DataFrame, *names: str) -> pd.DataFrame:
    """The rows of a table, with a column item, whose quantity is one of these."""
    return table[quantities(table["item"]).isin(names)]


def item_parts(items: pd.Series, *names: str) -> pd.DataFrame:
    """What each item is of, as columns of these names, with the index of the items.

    Raises
    ------
    HintedError
        for an item that is of more or fewer names
    """
    found = [read_item(text) for text in items]
    for item in found:
        if len(item.of) != len(names):
            expected = item_text(item.quantity, *(f"<{name}>" for name in names))
            raise HintedError("items", f'"{item.text}" has {len(item.of)} names', f"it is to be {expected}")
    return pd.DataFrame([item.of for item in found], columns=list(names), index=items.index, dtype=items.dtype)
