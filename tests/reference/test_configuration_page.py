"""The page of the configuration: a key that several kinds share is described once, with the defaults of each."""

import re

from surefoot.reference.configuration import configuration_page

ENTRY = {"type": "string", "description": "A name."}


def page_of(**kinds):
    """The page of a schema whose questions have these keys."""
    entries = [
        {
            "if": {"properties": {"kind": {"const": kind}}},
            "then": {"description": f"About {kind}.", "properties": {"kind": {"const": kind}, **keys}},
        }
        for kind, keys in kinds.items()
    ]
    parts = {name: {"additionalProperties": {"allOf": []}} for name in ("sources", "scales")}
    parts["questions"] = {"additionalProperties": {"allOf": entries}}
    return configuration_page({"properties": {"studies": {"additionalProperties": {"properties": parts}}}})


def test_a_key_of_three_kinds_is_described_once_and_of_two_twice():
    three = {name: {"source": ENTRY | {"default": name}} for name in ("a", "b", "c")}
    page = page_of(**three)
    assert page.count("A name.") == 1 and page.index("A name.") < page.index("### a")
    assert re.findall(r"Shared keys: `source` \(by default `(\w)`\)\.", page) == ["a", "b", "c"]
    del three["c"]
    assert page_of(**three).count("A name.") == 2


def test_a_kind_whose_key_means_something_else_describes_it_itself():
    other = {"source": ENTRY | {"description": "Another thing."}}
    page = page_of(a={"source": ENTRY}, b={"source": ENTRY}, c={"source": ENTRY}, d=other)
    assert page.index("Another thing.") > page.index("### d") and page.count("Shared keys: `source`.") == 3
