"""Read page sizes and fonts from the bytes of a PDF file (ISO 32000-1, 7.7.3 and 9.8)."""

import re
import zlib


def page_size(pdf):
    """Return (width, height) of the only page, in points."""
    (box,) = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", objects(pdf))
    left, bottom, right, top = map(float, box.split())
    return right - left, top - bottom


def fonts(pdf):
    """Return {name of a font: True if its outlines are embedded}."""
    found = {}
    content = objects(pdf)
    for descriptor in re.findall(rb"<<(?:(?!<<|>>).)*?/Type\s*/FontDescriptor(?:(?!<<|>>).)*?>>", content, re.DOTALL):
        name = re.search(rb"/FontName\s*/(?:[A-Z]{6}\+)?([^\s/>]+)", descriptor)[1].decode()
        found[name] = re.search(rb"/FontFile[23]?\s+\d+ \d+ R", descriptor) is not None
    return found


def objects(pdf):
    """Return the file, followed by the decompressed content of its object streams."""
    more = b""
    for stream in re.findall(rb"/ObjStm.*?stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        more += zlib.decompress(stream)
    return pdf + more
