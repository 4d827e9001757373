"""Tables that several tests of this paper read."""

import pandas as pd
import pytest
from support.paths import ROOT
from support.stand_in_tables import PUBLISHED

RECORDS = ROOT / "reports" / "records"


@pytest.fixture(scope="module")
def recorded() -> dict[str, pd.DataFrame]:
    tables = {"published": pd.read_csv(PUBLISHED), "record": pd.read_csv(RECORDS / "jordan2020.csv")}
    kinds = ("coverage", "intervals", "seeds")
    return tables | {f"record_{kind}": pd.read_csv(RECORDS / f"jordan2020_{kind}.csv") for kind in kinds}
