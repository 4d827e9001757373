"""How results look in a notebook and at a prompt: as their table, never as arrays of resamples."""

_ROWS = 20


class ShownAsTable:
    """A result whose method `table` says all that it has to say."""

    def __repr__(self) -> str:
        table = self.table()
        return f"{type(self).__name__}\n{table.to_string(index=False, max_rows=_ROWS)}"

    def _repr_html_(self) -> str:
        return self.table().to_html(index=False, max_rows=_ROWS, border=0)
