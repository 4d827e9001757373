"""Items of published numbers, which consist of a quantity and the names to which it refers.

In tables and files, an item is one string, such as ``mean/acrobot/sarsa`` or ``claim/separated/pbp/sarsa/q``. Only this
module writes and parses these strings.
"""

from collections.abc import Hashable
from typing import NamedTuple

import pandas as pd

from surefoot.errors import HintedError

_SEPARATOR = "/"
CLAIM = "claim"
"""`Item.quantity` of claims."""


class Item(NamedTuple):
    """Item of a published number.

    quantity : such as mean, game_score_low or claim
    of : names to which the quantity refers, such as (environment, algorithm); for a claim, its kind comes first
    """

    quantity: str
    of: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the item as a string for tables and files."""
        return _SEPARATOR.join((self.quantity, *self.of))


def item_text(quantity: str, *of: Hashable) -> str:
    """Return an item as a string, from its quantity and the names or numbers to which it refers."""
    return Item(quantity, tuple(map(str, of))).text


def read_item(text: str) -> Item:
    """Parse the string of an item."""
    quantity, *of = text.split(_SEPARATOR)
    return Item(quantity, tuple(of))


def item_texts(quantity: str | pd.Series, *of: str | pd.Series) -> pd.Series:
    """Join columns to items such as "mean/acrobot/sarsa"; an item is missing if any of its parts is missing."""
    texts = quantity
    for names in of:
        texts = texts + _SEPARATOR + names
    return texts


def quantities(items: pd.Series) -> pd.Series:
    """Return the quantity of each item, as a Series with the same index."""
    return items.map(lambda text: read_item(text).quantity)


def of_quantity(table: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Return the rows of a table whose items have one of the quantities `names`."""
    return table[quantities(table["item"]).isin(names)]


def item_parts(items: pd.Series, *names: str) -> pd.DataFrame:
    """Split items into their names, as a DataFrame with the columns `names` and the same index.

    Raises
    ------
    HintedError
        If an item has a different number of names.
    """
    parsed = [read_item(text) for text in items]
    for item in parsed:
        if len(item.of) != len(names):
            expected = item_text(item.quantity, *(f"<{name}>" for name in names))
            raise HintedError("items", f'"{item.text}" has {len(item.of)} names', f"expected {expected}")
    return pd.DataFrame([item.of for item in parsed], columns=list(names), index=items.index, dtype=items.dtype)
