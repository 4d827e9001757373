"""Measure the size of each page of a site and how long its reader waits, in headless Chromium.

    python benchmarks/pages.py results/render [more pages or folders] [--slower 4]

Prints a row per page: its size, the numbers of words and charts, the number of elements that the Tab key reaches, when
the first chart became interactive, and the longest task of the main thread while the page opened and while it was
scrolled from top to bottom. `--slower 4` makes the processor four times slower. Compare the times only with times of
another version that are measured on the same machine in the same minutes.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from html import unescape
from pathlib import Path
from shutil import which
from typing import Any

from tornado.websocket import WebSocketClientConnection, websocket_connect

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCROLLS = 40  # steps from the top of a page to its end
SECONDS = 60  # time limit of an answer of the browser
_WATCH = """
window.longest = 0; window.firstLive = null;
new PerformanceObserver((list) => list.getEntries().forEach((task) => {
  window.longest = Math.max(window.longest, task.duration); })).observe({ type: "longtask", buffered: true });
const seen = setInterval(() => {
  if (document.querySelector(".picture svg[tabindex], .chart [role=img] svg")) {
    window.firstLive = performance.now(); clearInterval(seen); }
}, 10);
"""
_SCROLLED = """
(async () => {
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  while (document.readyState !== "complete") await wait(50);
  await wait(1500);
  const opening = Math.round(window.longest);
  window.longest = 0;
  for (let step = 1; step <= %d; step++) {
    scrollTo(0, document.documentElement.scrollHeight * step / %d);
    await wait(60);
  }
  await wait(800);
  const stops = "a[href], button, input, select, summary, [tabindex='0']";
  return JSON.stringify({
    opening, scrolling: Math.round(window.longest), first: window.firstLive && Math.round(window.firstLive),
    stops: [...document.querySelectorAll(stops)].filter((one) => one.checkVisibility()).length,
    charts: document.querySelectorAll("div.chart").length,
  });
})()
"""


async def _asked(connection: WebSocketClientConnection, number: int, method: str, **given: Any) -> dict[str, Any]:
    """Send a command of the DevTools protocol and return the browser's answer."""
    await connection.write_message(json.dumps({"id": number, "method": method, "params": given}))
    while True:
        answer = json.loads(await asyncio.wait_for(connection.read_message(), SECONDS) or "{}")
        if answer.get("id") == number:
            return dict(answer.get("result", {}))


async def _measured(port: int, page: Path, slower: float) -> dict[str, int | None]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as listed:
        target = next(one for one in json.load(listed) if one["type"] == "page")
    connection = await websocket_connect(target["webSocketDebuggerUrl"], max_message_size=2**26)
    await _asked(connection, 1, "Page.enable")
    await _asked(connection, 2, "Emulation.setCPUThrottlingRate", rate=slower)
    await _asked(connection, 3, "Page.addScriptToEvaluateOnNewDocument", source=_WATCH)
    await _asked(connection, 4, "Page.navigate", url=page.resolve().as_uri())
    await asyncio.sleep(1)
    script = _SCROLLED % (SCROLLS, SCROLLS)
    answer = await _asked(connection, 5, "Runtime.evaluate", expression=script, awaitPromise=True)
    connection.close()
    return dict(json.loads(answer["result"]["value"]))


def measured(page: Path, browser: str, slower: float) -> dict[str, int | None]:
    """Open a page in the browser, scroll through it, and return the measurements by name."""
    with tempfile.TemporaryDirectory(prefix="surefoot-pages-", ignore_cleanup_errors=True) as folder:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"]
        command += [f"--user-data-dir={folder}", "--remote-debugging-port=0", "about:blank"]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            told = next(line for line in running.stderr or () if "DevTools listening" in line)
            port = int(re.search(r":(\d+)/", told)[1])  # type: ignore[index]
            return asyncio.run(_measured(port, page, slower))
        finally:
            running.terminate()
            running.wait()


def words(page: Path) -> int:
    """Return the number of words of a page; scripts, styles and pictures do not count."""
    html = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return len(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, help="pages, or folders of pages")
    parser.add_argument("--slower", type=float, default=1.0, help="by which factor to slow the processor down")
    given = parser.parse_args()
    browser = next((one for one in BROWSERS if which(one)), None)
    if browser is None:
        print(f"found none of {', '.join(BROWSERS)}. Hint: install one", file=sys.stderr)
        return 2
    pages = [page for path in given.paths for page in (sorted(path.glob("*.html")) if path.is_dir() else [path])]
    heads = (("charts", 7), ("stops", 6), ("first", 9), ("opening", 9), ("scrolling", 10))
    print(f"{'page':32} {'MB':>6} {'words':>7} " + " ".join(f"{name:>{width}}" for name, width in heads) + "  (ms)")
    for page in pages:
        found = measured(page, browser, given.slower)
        size = page.stat().st_size / 1e6
        tail = " ".join(f"{found.get(name)!s:>{width}}" for name, width in heads)
        print(f"{page.stem:32} {size:6.2f} {words(page):7,} {tail}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
