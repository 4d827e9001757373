"""Which pages of the site there are: a run may be asked for one page alone, and no link shall lead nowhere.

No page can know it while it is made, so each asks the list beside it, which every run renews at its end.
"""

import json
from pathlib import Path

from surefoot.build.whole_files import write_whole

LIST = "made.js"


def note_made_pages(folder: Path) -> None:
    """Write the list of the pages in the folder beside them, as a script, where it does not say so already."""
    pages = sorted(path.name for path in folder.glob("*.html"))
    script = f"globalThis.surefootMade = {json.dumps(pages, ensure_ascii=False)};\n"
    path = folder / LIST
    if pages and (not path.is_file() or path.read_text(encoding="utf-8") != script):
        write_whole(path, script)
