"""What a question answers: a table, or an object that makes it and has more to say of the same resamples."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from surefoot.errors import HintedError

_ROWS = 20


class Result:
    """An answer, which looks like its table in a notebook and at a prompt, with notes below it where there are any."""

    def table(self) -> pd.DataFrame:
        """The numbers, tidy: what a study keeps of the answer."""
        raise NotImplementedError

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of the answer by name; the one of `table` has none."""
        return {"": self.table()}

    def notes(self) -> pd.DataFrame:
        """What readers of the table should know: its last column is note, the others say of which rows. Often empty."""
        return pd.DataFrame(columns=["note"])

    def __repr__(self) -> str:
        parts = [table.to_string(index=False, max_rows=_ROWS) for table in (self.table(), self.notes()) if len(table)]
        return "\n".join([type(self).__name__, *parts])

    def _repr_html_(self) -> str:
        tables = (table for table in (self.table(), self.notes()) if len(table))
        return "\n".join(table.to_html(index=False, max_rows=_ROWS, border=0) for table in tables)


@dataclass(frozen=True, repr=False)
class Table(Result):
    """An answer that says all that it has to say in its table."""

    rows: pd.DataFrame
    others: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def table(self) -> pd.DataFrame:
        """The numbers, tidy: what a study keeps of the answer."""
        return self.rows

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of the answer by name; the one of `table` has none."""
        return {"": self.rows, **self.others}


def as_result(answered: pd.DataFrame | Mapping[str, pd.DataFrame] | Result) -> Result:
    """What the function `answer` of a question returned, as a result."""
    if isinstance(answered, Mapping):
        return Table(answered[""], {name: table for name, table in answered.items() if name})
    return Table(answered) if isinstance(answered, pd.DataFrame) else answered


def one_of(known: Iterable[tuple[str, ...]], *asked: object) -> tuple[str, ...]:
    """The only key that has the parts that are asked for; names may be numbers.

    Parameters
    ----------
    known : keys, such as (set of scores, algorithm)
    asked : the parts of the key, None for one that does not matter

    Raises
    ------
    ValueError : no key, or several
    """
    known = list(known)
    fits = [key for key in known if all(one in (None, part) for one, part in zip(map(_text, asked), key, strict=True))]
    if len(fits) == 1:
        return fits[0]
    wanted = " / ".join(_text(one) for one in asked if one is not None)
    listed = "; ".join(" / ".join(key) for key in fits or known)
    raise HintedError("result", f'{"several" if fits else "no"} answers for "{wanted}"', f"there are {listed}")


def _text(name):
    return None if name is None else str(name)
