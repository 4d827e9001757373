"""What tests of several rooms share."""

import contextlib
import gc
import os
import signal
import sys

import hypothesis
import pytest
from support.browser import BROWSERS, find_browser
from support.paths import ROOT
from xdist.scheduler import LoadScopeScheduling

from surefoot.workflow.kernel_cache import keep_kernels, kernels_of
from surefoot.workflow.store import store_folder

# Before numba is imported anywhere: kernels are cached under the fingerprint of the code, so that no edit is tested
# with an old kernel.
keep_kernels(kernels_of(store_folder(None)))
# As in jobs: compiling makes far more objects that stay than garbage.
gc.set_threshold(1_000_000)
# Compiling, and other work of the machine, make single examples slow.
hypothesis.settings.register_profile("new examples", deadline=None)
# Everybody's run of the tests asks the same questions; HYPOTHESIS_PROFILE="new examples" asks others.
hypothesis.settings.register_profile("same examples", deadline=None, derandomize=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same examples"))
# Some tests look at programs in benchmarks/, and use them. At the end: one has the name of a package.
sys.path.append(str(ROOT / "benchmarks"))
pytest_plugins = (
    "support.small_checkout_fixtures",
    "support.page_fixtures",
    "support.methods_page",
    "support.published_files",
)
FONTS = os.environ.get("FONTCONFIG_FILE")
# What a shell starts in the background ignores Ctrl-C, and so would all processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def same_folder():
    """Return to the folder of before a test, as some commands change it."""
    with contextlib.chdir("."):
        yield


@pytest.fixture(autouse=True, scope="module")
def same_folder_of_modules():
    """Return to the folder of before a module, as its fixtures may run commands, too."""
    with contextlib.chdir("."):
        yield


FIRST = tuple(
    f"tests/{folder}/"
    for folder in ("scenarios/running", "simulation", "bayesian", "statistics", "validation", "workflow")
)
"""Folders of tests that take longest, or compile kernels."""
LAST = "tests/cli/"
"""A folder with long tests, which the other workers run first, so that none has a long test left at the end."""


class FileScheduling(LoadScopeScheduling):
    """Run the tests of a file on one worker, with its fixtures.

    Kernels are compiled in one process at a time. So the first worker begins with the tests that compile most, and the
    others with the last files.
    """

    def _split_scope(self, nodeid):
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node):
        if node is not self.nodes[0]:
            self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False
    return FileScheduling(config, log)


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: [item.nodeid.startswith(LAST), *(not item.nodeid.startswith(f) for f in FIRST)])


@pytest.fixture(autouse=True)
def fonts_of_the_machine():
    """What a test, or a fixture of its module, draws in this process is measured in the converter's fonts; a browser
    that is started afterwards would find no others."""
    yield
    os.environ.pop("FONTCONFIG_FILE", None)
    if FONTS is not None:
        os.environ["FONTCONFIG_FILE"] = FONTS


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """The current folder is an empty one of the test's own, and so is the content store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    return tmp_path


@pytest.fixture(scope="session")
def browser() -> str:
    """Path of a browser; a test that asks for it is skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip(f"no browser installed: none of {', '.join(BROWSERS)} is on the PATH")
    return path
