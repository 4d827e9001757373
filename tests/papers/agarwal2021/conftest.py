"""Tables that several tests of this paper read."""

import pytest
from support.recorded_comparisons import tables_of


@pytest.fixture(scope="module")
def agarwal_tables():
    return tables_of("agarwal2021")
