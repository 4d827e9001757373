"""What a question answers: a table, or an object that makes it and has more to say of the same resamples."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

import pandas as pd

from surefoot.errors import HintedError

Key = TypeVar("Key", bound=tuple[str, ...])

_ROWS = 20


class Asked(NamedTuple):
    """The question that was asked, and its settings, defaults and shared ones among them."""

    question: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Result:
    """An answer, which looks like its table at a prompt, with notes below it where there are any; in a notebook its
    finding and its chart stand below that.

    asked : what was asked, where the answer came from a function such as `surefoot.profiles`
    remark : a reservation about the runs that were asked about, such as that their scores have no common scale; or ""
    """

    asked: Asked | None = field(default=None, kw_only=True, compare=False)
    remark: str = field(default="", kw_only=True, compare=False)

    def table(self) -> pd.DataFrame:
        """The numbers, tidy: what a study keeps of the answer."""
        raise NotImplementedError

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of the answer by name; the one of `table` has none."""
        return {"": self.table()}

    def notes(self) -> pd.DataFrame:
        """What readers of the table should know: its last column is note, the others say of which rows. Often empty."""
        return pd.DataFrame(columns=["note"])

    def chart(self) -> Any:
        """The chart of the answer, an `altair` chart.

        Raises
        ------
        ValueError : the question has no chart
        """
        return _showing().chart_of(self)

    def finding(self) -> str:
        """What the table says, in a sentence.

        Raises
        ------
        ValueError : the question has no such sentence
        """
        said: str = _showing().finding_of(self)
        return f"{said} {self.remark}".rstrip()

    def __repr__(self) -> str:
        parts = [table.to_string(index=False, max_rows=_ROWS) for table in (self.table(), self.notes()) if len(table)]
        return "\n".join(filter(None, [type(self).__name__, *parts, self.remark]))

    def _repr_html_(self) -> str:
        parts = self._html_tables()
        parts += [f"<p>{escape(self.remark)}</p>"] if self.remark else []
        return "\n".join(parts if self.asked is None else [*parts, _showing().markup_of(self)])

    def _html_tables(self) -> list[str]:
        tables = (table for table in (self.table(), self.notes()) if len(table))
        return [table.to_html(index=False, max_rows=_ROWS, border=0) for table in tables]


def _showing() -> Any:
    """By its name, since what an answer imports decides whether it is made again, and how it looks must not."""
    return import_module(f"{__package__}.showing")


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


def one_of(known: Iterable[Key], *asked: object) -> Key:
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
    wanted = " / ".join(str(one) for one in asked if one is not None)
    listed = "; ".join(" / ".join(key) for key in fits or known)
    raise HintedError("result", f'{"several" if fits else "no"} answers for "{wanted}"', f"there are {listed}")


def _text(name: object) -> str | None:
    return None if name is None else str(name)
