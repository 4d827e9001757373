"""Every table of a small version of every study is the same to the last byte, whatever a run of it is like.

`pytest -m determinism` runs it in several ways, each with a store of its own, and prints a line about each. What a job
measures with a clock (the columns and the table of `MEASURED`) is left out. The Slurm of `pytest -m slurm` is compared
there.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from support.paths import ROOT, TESTS

from surefoot.workflow.kernel_cache import kernels_of
from surefoot.workflow.store import store_folder

pytestmark = [pytest.mark.workflow, pytest.mark.determinism]

MAKES = TESTS / "support" / "tables_of_every_study.py"
MEASURED = ("seconds_", "decision_", "machine")
"""How columns of measured times begin; a play names the machine that they were measured on."""
OF_TIMES = "time_bounds"
"""The table whose rows follow from such times."""
ANY_PROCESSOR = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""}
WITHOUT_FUSED_SUMS = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}
"""The C library then uses the functions that it has for older processors."""
OLD_LAPACK = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512_SKX"}
REORDERED = "simulate/jordan2020/"
"""The trials with mountain_car: kernels over linear features may add in another order for the sake of speed."""
LARGEST_DIFFERENCE = 1e-10
"""Between processors, in linear algebra, and between orders of algorithms and environments: docs/reproducibility.md."""
OF_THE_FIRST = ("aggregate/jordan2020/exploits.csv", "aggregate/small/exploits.csv", "cover/small/how_many_runs.csv")
"""Questions that, as they are asked here, are of the first algorithm or environment."""


class Difference(NamedTuple):
    """Of two sets of tables.

    tables : how many were compared
    different : the names of those that differ
    largest : the greatest difference of a number, relative to the largest of its column where that is above 1; inf
        where texts, rows or columns differ
    """

    tables: int
    different: list[str]
    largest: float


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A function that makes all tables in a process of its own: (options, variables, kernels) to the folder of them."""
    warm = kernels_of(store_folder(None))

    def make(*options, kernels=warm, umask=None, **variables):
        folder, store = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("store")
        kernels.mkdir(parents=True, exist_ok=True)
        kernels_of(store).symlink_to(kernels)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA")}
        environment |= {"SUREFOOT_STORE": str(store), "PYTHONPATH": str(ROOT / "src"), **variables}
        command = [sys.executable, str(MAKES), *options]
        settings = {"umask": umask} if umask is not None else {}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, **settings
        )
        assert done.returncode == 0, done.stderr[-5000:]
        shutil.rmtree(store)
        return folder / "results"

    return make


@pytest.fixture(scope="module")
def usual(made):
    """The tables of one thread, in the order of the plan."""
    return made("--threads", "1")


def read(path):
    table = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
    return table.drop(columns=[column for column in table if column.startswith(MEASURED)])


def difference(folder: Path, other: Path, left_out=(), in_order=True) -> Difference:
    """Between the tables of two folders, whose rows may stand in another order if not `in_order`."""
    names, others = (
        {str(path.relative_to(top)) for path in top.rglob("*") if path.suffix in (".csv", ".parquet")}
        for top in (folder, other)
    )
    names, others = (
        {name for name in found if Path(name).stem != OF_TIMES and name not in left_out} for found in (names, others)
    )
    different, largest = sorted(names ^ others), np.inf if names != others else 0.0
    for name in sorted(names & others):
        if (folder / name).read_bytes() != (other / name).read_bytes():
            tables = read(folder / name), read(other / name)
            apart = largest_difference(*(tables if in_order else map(sorted_rows, tables)))
            if apart is not None:
                different.append(name)
                largest = max(largest, apart)
    return Difference(len(names), different, largest)


def sorted_rows(table: pd.DataFrame) -> pd.DataFrame:
    """The rows in an order that follows from what they hold: from numbers only where nothing else tells them apart."""
    table = alphabetical_pairs(table)
    names = sorted(table)
    exact = [name for name in names if table[name].dtype.kind != "f"]
    return table[names].sort_values([*exact, *(name for name in names if name not in exact)], ignore_index=True)


def alphabetical_pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Differences of y from x as those of x from y, their negatives, where y comes first in the alphabet."""
    if not ({"algorithm_estimate", "algorithm_rate"} & {*table} and {"algorithm", "baseline", "estimate"} <= {*table}):
        return table
    turned = table["algorithm"] > table["baseline"]
    sides = {"algorithm": "baseline", "baseline": "algorithm"}
    halves = [name.partition("_") for name in table]
    sides |= {
        f"{sides[side]}_{what}": f"{side}_{what}"
        for side, _, what in halves
        if side in ("algorithm", "baseline") and what
    }
    negated = {name: -table[name] for name in ("estimate", "standardized_difference") if name in table}
    for low in ("low", "low_whole_runs", "distribution_free_low"):
        high = low.replace("low", "high")
        if low in table:
            negated |= {low: -table[high], high: -table[low]}
    return pd.concat([table[~turned], table.rename(columns=sides).assign(**negated)[list(table)][turned]])


def largest_difference(one: pd.DataFrame, two: pd.DataFrame) -> float | None:
    """Of the numbers of two tables, as in `Difference`: inf where anything else differs, None where nothing does."""
    if one.equals(two):
        return None
    if one.shape != two.shape or list(one) != list(two):
        return np.inf
    apart = 0.0
    for column in one:
        if one[column].dtype.kind == "f":
            a, b = one[column].to_numpy(), two[column].to_numpy()
            if not np.array_equal(np.isfinite(a), np.isfinite(b)):
                return np.inf
            a, b = a[np.isfinite(a)], b[np.isfinite(b)]
            if len(a):
                apart = max(apart, np.abs(a - b).max() / max(np.abs(a).max(), 1.0))
        elif not one[column].astype(str).equals(two[column].astype(str)):
            return np.inf
    return apart


@pytest.fixture
def told(usual, capsys, request):
    """A function that compares tables with the usual ones, and prints a line about it."""

    def tell(folder, **how):
        found = difference(usual, folder, **how)
        with capsys.disabled():
            same = found.tables - len(found.different)
            what = f"{same} of {found.tables} tables the same"
            if found.different:
                what += f", the others up to {found.largest:.1e} apart: {', '.join(found.different)}"
            print(f"\n{request.node.name}: {what}")
        return found

    return tell


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        pytest.param(["--threads", "2"], {}, id="two_threads"),
        pytest.param(["--order", "1", "--threads", "2"], {}, id="jobs_in_another_order"),
        pytest.param(["--block", "2"], {}, id="other_blocks"),
        pytest.param([], {"LC_ALL": "C", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7"}, id="locale_zone_and_hashes"),
        pytest.param([], {"NUMBA_NUM_THREADS": "1"}, id="one_thread_of_numba"),
    ],
)
def test_tables_do_not_depend_on_how_they_are_made(made, told, options, variables):
    assert told(made(*options, **variables)).different == []


def test_tables_do_not_depend_on_the_umask(made, told):
    assert told(made(umask=0o077)).different == []


def test_kernels_that_are_compiled_anew_give_the_same_tables(made, told, tmp_path):
    assert told(made(kernels=tmp_path / "kernels")).different == []


def test_another_lapack_changes_last_digits_at_most(made, told):
    assert told(made(**OLD_LAPACK)).largest <= LARGEST_DIFFERENCE


@pytest.mark.parametrize("variables", [ANY_PROCESSOR, WITHOUT_FUSED_SUMS], ids=["any_processor", "no_fused_sums"])
def test_another_processor_changes_only_reordered_sums(made, told, tmp_path, variables):
    found = told(made(kernels=tmp_path / "kernels", **variables))
    simulated = [name for name in found.different if name.startswith("simulate/")]
    assert [name for name in simulated if not name.startswith(REORDERED)] == []


def test_the_order_of_names_changes_last_digits_at_most(made, told):
    assert told(made("--reversed"), left_out=OF_THE_FIRST, in_order=False).largest <= LARGEST_DIFFERENCE


def test_a_difference_is_found(usual, tmp_path):
    """Of one number in its last digit, of a row and of a table."""
    copy = tmp_path / "copy"
    shutil.copytree(usual, copy)
    assert difference(usual, copy) == (difference(usual, usual)) != Difference(0, [], 0.0)
    path = copy / "aggregate/jordan2020/evaluation_game_scores.csv"
    table = pd.read_csv(path)
    values = table["estimate"].to_numpy(copy=True)
    values[0] = np.nextafter(values[0], 2)
    table.assign(estimate=values).to_csv(path, index=False)
    found = difference(usual, copy)
    assert found.different == ["aggregate/jordan2020/evaluation_game_scores.csv"]
    assert 0 < found.largest < 1e-15
    table[1:].to_csv(path, index=False)
    assert difference(usual, copy).largest == np.inf
    path.unlink()
    assert difference(usual, copy).different == ["aggregate/jordan2020/evaluation_game_scores.csv"]
