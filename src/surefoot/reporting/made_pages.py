"""Which pages of the site there are, and when each was made: a run may be asked for one page alone, and no link shall
lead nowhere.

No page can know it while it is made, and the same things make the same bytes of it at any time and from any commit. So
each page asks the list beside it, which every run renews at its end.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from surefoot.build.files import write_whole

LIST = "made.js"
_PAGES = "globalThis.surefootMade = "
_MAKING = "globalThis.surefootMaking = "


def note_made_pages(folder: Path, making: Mapping[str, Mapping[str, str]] | None = None) -> None:
    """Write the list of the pages in the folder beside them, as a script, where it does not say so already.

    Parameters
    ----------
    making : of each page that this run made or found up to date, when it was made and from which commit; what is known
        of other pages is kept
    """
    path = folder / LIST
    pages = sorted(page.name for page in folder.glob("*.html"))
    if not pages:
        return
    known = _known(path) | dict(making or {})
    told = {page: known[page] for page in pages if page in known}
    script = f"{_PAGES}{json.dumps(pages, ensure_ascii=False)};\n"
    if told:
        script += f"{_MAKING}{json.dumps(told, ensure_ascii=False)};\n"
    if not path.is_file() or path.read_text(encoding="utf-8") != script:
        write_whole(path, script)


def _known(path: Path) -> dict[str, Any]:
    """What the list says of how pages were made."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        found = next((line for line in lines if line.startswith(_MAKING)), f"{_MAKING}{{}};")
        return dict(json.loads(found.removeprefix(_MAKING).removesuffix(";")))
    except (OSError, ValueError, TypeError):
        return {}
