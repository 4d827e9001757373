"""What others show of a page: its mark in a browser's tab, and its title and first sentences where it is linked to."""

import re
import urllib.parse
from html import escape, unescape
from pathlib import Path

LONGEST = 200
"""Characters of a description, which nobody shows more of."""
_MARK = Path(__file__).with_name("mark.svg")


def with_preview(html: str, site: str) -> str:
    """The page with its mark and the tags of its preview in the head.

    The description is the page's own, else the beginning of its lead.

    Parameters
    ----------
    html : the whole page
    site : title of the site
    """
    head, end, rest = html.partition("</head>")
    if not end:
        return html
    title = re.search(r"<title>(.*?)</title>", head, re.DOTALL)
    own = re.search(r'<meta name="description" content="([^"]*)"', head)
    lead = re.search(r'<div class="lead">(.*?)</div>', rest, re.DOTALL)
    said = unescape(own[1]) if own else shortened(_plain(lead[1])) if lead else ""
    mark = urllib.parse.quote(_MARK.read_text(encoding="utf-8").strip(), safe=" =:/'")
    tags = [f'<link rel="icon" href="data:image/svg+xml,{mark}">']
    if said and not own:
        tags.append(f'<meta name="description" content="{escape(said)}">')
    facts = {"type": "website", "site_name": site, "title": unescape(title[1]) if title else site, "description": said}
    tags += [f'<meta property="og:{name}" content="{escape(text)}">' for name, text in facts.items() if text]
    # A card of words: a picture must be named by its whole address (`og:image` allows none that is relative, and no
    # data), which nobody knows while the page is made: it may lie on a disk, on a server or in an attachment.
    tags.append('<meta name="twitter:card" content="summary">')
    return head + "\n".join(tags) + "\n" + end + rest


def shortened(text: str) -> str:
    """The text up to LONGEST characters, cut between words."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rpartition(' ')[0]}…"


def _plain(html: str) -> str:
    text = " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
    return re.sub(r" ([.,;:)])", r"\1", text)
