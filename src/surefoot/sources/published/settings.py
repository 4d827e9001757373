"""Published tables, from where their authors put them or from a local folder."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from surefoot.configuration.sections import SomeNames
from surefoot.sources.published.sources import sources_of
from surefoot.sources.settings import SourceSettings

PUBLISHED = "published"
"""The kind of tables that are as they were published; a scale chooses runs of them by name."""


def _published(tables: tuple[str, ...]) -> tuple[str, ...]:
    for table in tables:
        sources_of(table)
    return tables


class Settings(SourceSettings):
    """Published tables of scores that are collected together.

    Where they are neither in the local folder nor downloaded, what is asked of them is drawn from the record of a run
    that had them.
    """

    kind: Literal["published"] = "published"
    collected: Annotated[SomeNames, AfterValidator(_published), Field(alias="tables")]
    """Published tables by name. config/published/sources.csv lists the tables and the public files that they come from.
    """

    def tables(self, name: str) -> dict[str, str]:
        """The published tables together."""
        return {name: PUBLISHED}
