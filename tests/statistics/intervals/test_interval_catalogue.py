"""The catalogue of interval methods: light to import, complete, with a recommendation that no interval can sway."""

import pytest

from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS, RECOMMENDED, leading, remark


def test_the_method_to_quote_is_proven_wherever_a_proven_one_is_there():
    assert leading(INTERVAL_METHODS) == RECOMMENDED and INTERVAL_METHODS[RECOMMENDED].proven
    assert leading(("bootstrap", "pbp_t", "pbp")) == "pbp"
    assert leading(("bootstrap", "pbp_t")) == "pbp_t"


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_a_method_without_a_guarantee_is_never_without_a_remark(method):
    for runs in (2, 99, 100, 100_000):
        for ties in (True, False):
            proven = INTERVAL_METHODS[method].proven
            assert (remark(method, "corrected", runs, ties) == "") == proven
            unproven = bool(INTERVAL_METHODS[method].as_published) or not proven
            assert (remark(method, "as_published", runs, ties) != "") == unproven
