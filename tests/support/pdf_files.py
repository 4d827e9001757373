"""What a PDF says of itself, read from its bytes as the standard lays them out (ISO 32000-1, 7.7.3 and 9.8)."""

import re
import zlib


def page_size(pdf):
    """(width, height) of its only page, in points."""
    (box,) = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", objects(pdf))
    left, bottom, right, top = map(float, box.split())
    return right - left, top - bottom


def fonts(pdf):
    """{name: whether its outlines are in the file} of the fonts that text is written in."""
    found = {}
    content = objects(pdf)
    for descriptor in re.findall(rb"<<(?:(?!<<|>>).)*?/Type\s*/FontDescriptor(?:(?!<<|>>).)*?>>", content, re.DOTALL):
        name = re.search(rb"/FontName\s*/(?:[A-Z]{6}\+)?([^\s/>]+)", descriptor)[1].decode()
        found[name] = re.search(rb"/FontFile[23]?\s+\d+ \d+ R", descriptor) is not None
    return found


def objects(pdf):
    """The file with what its streams of objects hold."""
    more = b""
    for stream in re.findall(rb"/ObjStm.*?stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        more += zlib.decompress(stream)
    return pdf + more
