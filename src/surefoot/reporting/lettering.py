"""The font of the charts in a page, so that their labels are as wide as they were when they were drawn."""

import base64
import re
from html import unescape

from surefoot.letters import fonts_of_letters

_PICTURE = re.compile(r'<div class="picture"[^>]*>.*?</svg>', re.DOTALL)
_FAMILY = re.compile(r'font-family="([^",]+)')
_WORDS = re.compile(r">([^<>]+)</text>")
_WEIGHTS = ("normal", "bold")
# Of the same widths; where the reader has one of them, the letters that came with the page are not looked at.
_LOCAL = ("Liberation Sans", "Arial", "Arimo", "Helvetica")


def with_lettering(html: str) -> str:
    """The page with the letters of its charts, in a style element of its head; as it was, without charts."""
    pictures = "".join(_PICTURE.findall(html))
    family = _FAMILY.search(pictures)
    letters = sorted({letter for words in _WORDS.findall(pictures) for letter in unescape(words)})
    if not family or not letters:
        return html
    name = unescape(family[1])
    faces = []
    for weight in _WEIGHTS:
        suffix = " Bold" if weight == "bold" else ""
        local = ",".join(f'local("{one}{suffix}")' for one in _LOCAL)
        for font, characters in fonts_of_letters("".join(letters), name, weight):
            ranged = ",".join(f"U+{character:04X}" for character in characters)
            source = f"{local},url(data:font/otf;base64,{base64.b64encode(font).decode()})"
            faces.append(f'@font-face{{font-family:"{name}";font-weight:{weight};src:{source};unicode-range:{ranged}}}')
    head, end, rest = html.partition("</head>")
    return f"{head}<style>{''.join(faces)}</style>\n{end}{rest}"
