"""Each scale has a file of tests, which computes it naively as its formula on the methods page is printed."""

from pathlib import Path

from surefoot.runs.scales.scale_settings import SCALES


def test_every_scale_has_a_file_of_tests():
    modules = {SCALES.modules[kind].rpartition(".")[2] for kind in SCALES.complete()}
    assert {f"test_{module}.py" for module in modules} <= {path.name for path in Path(__file__).parent.glob("*.py")}
