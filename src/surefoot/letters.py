"""Fonts in an SVG: the outlines of the letters that it writes, so that it looks the same where they are not installed.

The converter embeds the letters that a PDF needs, whichever font they are of, its own included. So a PDF of these
letters is made, one by one so that none become a ligature, and its fonts are put into files that browsers take: with
the tables of OpenType that a PDF does without (cmap, OS/2, and for outlines in CFF the metrics).
"""

import base64
import re
import struct
import zlib
from collections.abc import Mapping
from html import escape, unescape

import vl_convert

_TEXT = re.compile(r"<text([^>]*)>([^<]*)</text>")
_UNITS = 1000
"""To the em, of outlines in CFF as the converter embeds them, and of the widths of a PDF."""
_WEIGHTS = {"normal": 400, "bold": 700}


def with_fonts(svg: str, family: str) -> str:
    """The SVG with the letters of its texts embedded, as faces of the family; one face for each weight."""
    letters: dict[str, set[str]] = {}
    for attributes, text in _TEXT.findall(svg):
        weight = "bold" if 'font-weight="bold"' in attributes else "normal"
        letters.setdefault(weight, set()).update(unescape(text))
    faces = []
    for weight, found in sorted(letters.items()):
        for font, characters in fonts_of_letters("".join(sorted(found)), family, weight):
            source = f"url(data:font/otf;base64,{base64.b64encode(font).decode()})"
            ranged = ",".join(f"U+{character:04X}" for character in characters)
            faces.append(
                f'@font-face{{font-family:"{family}";font-weight:{weight};src:{source};unicode-range:{ranged}}}'
            )
    style = f"<defs><style>{''.join(faces)}</style></defs>"
    return re.sub(r"(<svg[^>]*>)", lambda head: head[1] + style, svg, count=1) if faces else svg


def fonts_of_letters(letters: str, family: str, weight: str = "normal") -> list[tuple[bytes, list[int]]]:
    """OpenType fonts with some letters of a family and nothing else, each with its characters; there are several where
    the converter takes letters from other families, since this one lacks them.

    weight : "normal" or "bold"
    """
    style = f'font-size="9" font-family="{escape(family)}" font-weight="{weight}"'
    drawn = "".join(f'<text x="9" y="20" {style}>{escape(letter)}</text>' for letter in letters if not letter.isspace())
    pdf = vl_convert.svg_to_pdf(f'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30">{drawn}</svg>')
    objects = dict(re.findall(rb"(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL))
    found = []
    for composite in objects.values():
        if b"/ToUnicode" not in composite:
            continue
        font = _referred(objects, composite, rb"/DescendantFonts \[")
        descriptor = _referred(objects, font, rb"/FontDescriptor ")
        glyphs = _glyphs(_stream(_referred(objects, composite, rb"/ToUnicode ")))
        is_truetype = b"/FontFile2 " in descriptor
        outlines = _stream(_referred(objects, descriptor, rb"/FontFile[23] "))
        tables = _tables_of(outlines) if is_truetype else _tables_for_cff(outlines, font, descriptor)
        tables |= {"cmap": _cmap(glyphs), "OS/2": _os2(descriptor, glyphs, _WEIGHTS[weight])}
        tables |= {"name": _name(family), "post": struct.pack(">IIhhIIIII", 0x30000, 0, -75, 50, 0, 0, 0, 0, 0)}
        found.append((_assembled(tables, b"\0\1\0\0" if is_truetype else b"OTTO"), list(glyphs)))
    return found


def _referred(objects: Mapping[bytes, bytes], content: bytes, key: bytes) -> bytes:
    """The object that a key of another refers to."""
    number = re.search(key + rb"(\d+) 0 R", content)
    return objects[number[1]] if number else b""


def _stream(content: bytes) -> bytes:
    found = re.search(rb"stream\r?\n(.*)\r?\nendstream", content, re.DOTALL)
    if found is None:
        return b""
    return zlib.decompress(found[1]) if b"/FlateDecode" in content.partition(b"stream")[0] else found[1]


def _glyphs(to_unicode: bytes) -> dict[int, int]:
    """{character: glyph} of a CMap that maps single glyphs to single characters."""
    found = re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]{4,8})>\n", to_unicode.partition(b"beginbfchar")[2])
    characters = {ord(bytes.fromhex(text.decode()).decode("utf-16-be")[0]): int(glyph, 16) for glyph, text in found}
    return dict(sorted(characters.items()))


def _numbers(content: bytes, key: bytes) -> list[float]:
    found = re.search(rb"/" + key + rb" \[([^\]]*)\]", content)
    return [float(number) for number in found[1].split()] if found else []


def _number(content: bytes, key: bytes) -> int:
    found = re.search(rb"/" + key + rb" (-?[\d.]+)", content)
    return round(float(found[1])) if found else 0


def _tables_of(font: bytes) -> dict[str, bytes]:
    count = struct.unpack(">H", font[4:6])[0]
    records = [struct.unpack(">4sIII", font[12 + 16 * place : 28 + 16 * place]) for place in range(count)]
    return {tag.decode(): font[start : start + length] for tag, _, start, length in records}


def _tables_for_cff(outlines: bytes, font: bytes, descriptor: bytes) -> dict[str, bytes]:
    """head, hhea, hmtx and maxp as OpenType's specification has them, from what the PDF says of the font."""
    listed = _numbers(font, b"W")  # first and last glyph, and their width
    widths: dict[int, int] = {}
    for first, last, width in zip(listed[::3], listed[1::3], listed[2::3], strict=True):
        widths |= {glyph: round(width) for glyph in range(int(first), int(last) + 1)}
    glyphs = max(widths) + 1
    box = [round(number) for number in _numbers(descriptor, b"FontBBox")]
    up, down = _number(descriptor, b"Ascent"), _number(descriptor, b"Descent")
    head = struct.pack(">IIIIHHQQ4hHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, _UNITS, 0, 0, *box, 0, 7, 2, 0, 0)
    hhea = struct.pack(
        ">IhhhHhhhhhhhhhhhH", 0x10000, up, down, 0, max(widths.values()), 0, 0, box[2], 1, *[0] * 7, glyphs
    )
    hmtx = b"".join(struct.pack(">Hh", widths.get(glyph, 0), 0) for glyph in range(glyphs))
    return {"CFF ": outlines, "head": head, "hhea": hhea, "hmtx": hmtx, "maxp": struct.pack(">IH", 0x5000, glyphs)}


def _cmap(glyphs: Mapping[int, int]) -> bytes:
    """Format 12, a group for each character."""
    groups = b"".join(struct.pack(">III", character, character, glyph) for character, glyph in glyphs.items())
    table = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(glyphs)) + groups
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def _os2(descriptor: bytes, glyphs: Mapping[int, int], weight: int) -> bytes:
    up, down = _number(descriptor, b"Ascent"), _number(descriptor, b"Descent")
    first, last = (min(code, 0xFFFF) for code in (min(glyphs), max(glyphs)))
    sizes = [650, 700, 0, 140, 650, 700, 0, 480, 50, 250, 0]
    style = 0x20 if weight == 700 else 0x40
    return (
        struct.pack(">HhHHH11h", 3, 500, weight, 5, 0, *sizes)
        + bytes(10)
        + struct.pack(">4I4sHHHhhhHH", 0, 0, 0, 0, b"NONE", style, first, last, up, down, 0, up, -down)
        + struct.pack(">IIhhHHH", 1, 0, 450, _number(descriptor, b"CapHeight"), 0, 32, 1)
    )


def _name(family: str) -> bytes:
    texts = [(1, family), (2, "Regular"), (4, family), (6, re.sub(r"\W", "", family))]
    records, strings = b"", b""
    for number, text in texts:
        encoded = text.encode("utf-16-be")
        records += struct.pack(">6H", 3, 1, 0x409, number, len(encoded), len(strings))
        strings += encoded
    return struct.pack(">HHH", 0, len(texts), 6 + 12 * len(texts)) + records + strings


def _assembled(tables: Mapping[str, bytes], kind: bytes) -> bytes:
    """The file: its kind, a directory of the tables with their checksums, and the tables at multiples of four bytes."""
    count = len(tables)
    power = count.bit_length() - 1
    header = kind + struct.pack(">HHHH", count, 16 << power, power, 16 * count - (16 << power))
    start, directory, body = 12 + 16 * count, b"", b""
    for tag, content in sorted(tables.items()):
        padded = content + bytes(-len(content) % 4)
        checksum = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        directory += struct.pack(">4sIII", tag.encode(), checksum, start + len(body), len(content))
        body += padded
    return header + directory + body
