"""Keys of jobs."""

from surefoot.workflow.job import result_key
from surefoot.workflow.store import unit_key


def test_everything_that_decides_a_result_is_in_its_key():
    settings, code, hashes = {"a": 1, "b": [2.0]}, {"module": "f"}, {"runs": "h"}
    keys = {result_key(work, settings, code, hashes, ["table"]) for work in ("answer", "draw")}
    keys |= {result_key("answer", {**settings, "a": 2}, code, hashes, ["table"])}
    keys |= {result_key("answer", settings, {"module": "g"}, hashes, ["table"])}
    keys |= {result_key("answer", settings, code, others, ["table"]) for others in ({"runs": "i"}, {})}
    keys |= {result_key("answer", settings, code, hashes, ["table", "weights"])}
    keys |= {unit_key("block", settings, hashes), unit_key("cell", settings, hashes), unit_key("block", {}, hashes)}
    assert len(keys) == 10
    assert result_key("answer", {"b": [2.0], "a": 1}, code, hashes, ["table"]) in keys
