"""What each page of a site weighs and how long it keeps its reader waiting, in headless Chromium.

    python benchmarks/pages.py results/render [more pages or folders]

One row a page: its size, its words, what can be reached by the Tab key, how long the longest task of the main thread
was, and when the first chart was live. Times are of this machine, and mean something beside those of another version
measured in the same minutes.
"""

import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 12
_WATCH = """<script>
window.longest = 0; window.firstLive = null;
new PerformanceObserver((list) => list.getEntries().forEach((task) => {
  window.longest = Math.max(window.longest, task.duration); })).observe({ type: "longtask", buffered: true });
const seen = setInterval(() => {
  if (document.querySelector(".chart [role=img] svg")) { window.firstLive = performance.now(); clearInterval(seen); }
}, 20);
setTimeout(() => {
  const stops = "a[href], button, input, summary, [tabindex='0']";
  document.documentElement.dataset.measured = JSON.stringify({
    longest: Math.round(window.longest), first: window.firstLive && Math.round(window.firstLive),
    stops: [...document.querySelectorAll(stops)].filter((one) => one.checkVisibility()).length,
    charts: document.querySelectorAll("div.chart").length,
  });
}, %d);
</script><img src="/slow" alt="" hidden>"""
"""The browser writes the page down when it is loaded, so a picture that comes late holds it up."""


def serve(html: bytes) -> ThreadingHTTPServer:
    """A server of one page on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/slow":
                time.sleep(SECONDS)
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(html if self.path == "/" else b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def measured(page: Path, browser: str) -> dict[str, int | None]:
    """What the browser says of a page after some seconds; nothing of it is scrolled."""
    watch, picture = (_WATCH % (SECONDS * 1000 - 2000)).split("</script>")
    html = page.read_text(encoding="utf-8").replace("<head>", f"<head>{watch}</script>", 1)
    server = serve(html.replace("</body>", f"{picture}</body>").encode())
    with tempfile.TemporaryDirectory(prefix="surefoot-pages-") as folder:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900", "--dump-dom"]
        command += [f"--user-data-dir={folder}", f"http://127.0.0.1:{server.server_port}/"]
        dom = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    server.shutdown()
    found = re.search(r'data-measured="([^"]*)"', dom)
    return dict(json.loads(unescape(found[1]))) if found else {}


def words(page: Path) -> int:
    """Words of a page that are read: those of its scripts, styles and pictures do not count."""
    html = re.sub(r"<(script|style)\b.*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return len(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def main(paths: list[str]) -> int:
    browser = next((one for one in BROWSERS if which(one)), None)
    if browser is None or not paths:
        print(__doc__ if browser else f"none of {', '.join(BROWSERS)} is here. Hint: install one", file=sys.stderr)
        return 2
    pages = [page for path in map(Path, paths) for page in (sorted(path.glob("*.html")) if path.is_dir() else [path])]
    print(f"{'page':32} {'MB':>6} {'words':>7} {'charts':>7} {'stops':>6} {'longest ms':>11} {'first live ms':>14}")
    for page in pages:
        found = measured(page, browser)
        size = page.stat().st_size / 1e6
        tail = " ".join(f"{found.get(key)!s:>{width}}" for key, width in (("charts", 7), ("stops", 6), ("longest", 11)))
        print(f"{page.stem:32} {size:6.2f} {words(page):7,} {tail} {found.get('first')!s:>14}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
