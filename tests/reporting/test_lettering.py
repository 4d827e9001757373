"""The letters of charts travel with the page."""

import base64
import re
import struct

from surefoot.reporting.lettering import with_lettering

PICTURE = '<div class="picture"><svg font-family="Liberation Sans, Arial"><text>W&amp;\u2212{}</text></svg></div>'
PAGE = "<html><head><title>x</title></head><body><p>Zebra</p>{}</body></html>"


def faces(html):
    return re.findall(r'@font-face\{font-family:"([^"]*)";font-weight:(\w+);src:(.*?);unicode-range:([^}]*)\}', html)


def test_a_page_brings_the_letters_of_its_charts_and_no_others():
    found = faces(with_lettering(PAGE.format(PICTURE.format("x") + PICTURE.format("y"))))
    assert [(family, weight) for family, weight, *_ in found] == [
        ("Liberation Sans", "normal"),
        ("Liberation Sans", "bold"),
    ]
    for _, _, source, ranges in found:
        assert set(ranges.split(",")) == {f"U+{ord(letter):04X}" for letter in "W&\u2212xy"}
        assert source.startswith('local("Liberation Sans') and 'local("Arial' in source
        font = base64.b64decode(re.search(r"base64,([^)]*)", source)[1])
        assert font[:4] in (b"OTTO", b"\x00\x01\x00\x00") and struct.unpack(">H", font[4:6])[0] > 5  # tables


def test_a_page_without_charts_stays_as_it_is():
    assert with_lettering(PAGE.format("")) == PAGE.format("")
