"""What is shown on a terminal."""


def printable(text: str) -> str:
    """The text with control characters written out, which a terminal would obey."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)
