"""The mark and the preview of a page."""

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from surefoot.reporting.preview import LONGEST, shortened, with_preview


class _Head(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.meta, self.icons = {}, []
        self.feed(html.partition("<body")[0])

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "meta" and "content" in given:
            self.meta[given.get("property") or given.get("name")] = given["content"]
        if tag == "link" and given.get("rel") == "icon":
            self.icons.append(given["href"])


@pytest.mark.parametrize(
    ("front", "lead", "said"),
    [
        ("", "**SARSA & Q** lead, by `x`.", "SARSA & Q lead, by x."),
        (
            'description: "A \\"short\\" one."\n',
            "Other words.",
            "A \N{LEFT DOUBLE QUOTATION MARK}short\N{RIGHT DOUBLE QUOTATION MARK} one.",
        ),
    ],
)
def test_a_page_says_what_it_is_about(site, front, lead, said):
    path = site.render(f"---\ntitle: Scores & more\n{front}---\n\n::: {{.lead}}\n{lead}\n:::\n")
    head = _Head(path.read_text())
    assert head.meta["og:title"] == "Scores & more \N{EN DASH} Tracks"
    assert head.meta["og:site_name"] == "Tracks"
    assert head.meta["og:description"] == head.meta["description"] == said
    # No picture is promised: its address would have to be that of a server.
    assert head.meta["twitter:card"] == "summary" and "og:image" not in head.meta
    (icon,) = head.icons
    assert ElementTree.fromstring(unquote(icon.partition(",")[2])).tag.endswith("svg")


def test_a_page_without_a_lead_has_no_empty_description(site):
    head = _Head(site.render("---\ntitle: Bare\n---\n\nText.\n").read_text())
    assert not [name for name, content in head.meta.items() if not content]
    assert "og:description" not in head.meta


def test_a_long_description_ends_between_words():
    text = " ".join(["word"] * 100)
    assert len(shortened(text)) <= LONGEST
    assert shortened(text).endswith("word…")
    assert shortened("short") == "short"


def test_nothing_but_the_head_changes():
    page = "<html><head><title>A</title></head><body><p>one</p><script>'</head>'</script></body></html>"
    made = with_preview(page, "Site")
    assert made.partition("</head>")[2] == page.partition("</head>")[2]
    assert made.startswith("<html><head><title>A</title>")
