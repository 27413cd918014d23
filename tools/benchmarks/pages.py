"""The page of a trace by the number of its operations: seconds to write it, to open it, and to use it.

It is opened in a headless Chromium, if one is on the PATH, beside an empty page, which costs what the browser
takes for any page, and beside the plain table that lists the same operations without scripts.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.measure import Seconds, Unavailable, clocked

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LISTED = 100  # operations of a page that lists them; fewer are drawn alone
# Milliseconds from the navigation to the second frame after the page is loaded: the first one is drawn.
DRAWN = """() => new Promise(done => {
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
  document.readyState === "complete" ? drawn() : addEventListener("load", drawn);
})"""
PATIENCE = 120_000  # ms that a step may take
LIST = "#rows-operations"
SIZES = dict[int, int]()  # bytes of the pages that were written, by the number of operations


class Reader:
    """A browser's view of one page, and what its scripts complained of."""

    def __init__(self, path: Path) -> None:
        self.path, self.complaints = path, list[str]()
        self.view: Any = None
        self.session: Any = None

    def open(self) -> Seconds:
        """Open the page in a new view, and return the seconds from the navigation until it is drawn."""
        if self.view:
            self.view.close()
        self.view = browser().new_page(viewport={"width": 1440, "height": 900})
        self.view.set_default_timeout(PATIENCE)
        self.session = self.view.context.new_cdp_session(self.view)
        self.session.send("Performance.enable")
        self.view.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.view.goto(self.path.as_uri(), wait_until="commit")
        took = self.view.evaluate(DRAWN) / 1000
        if self.complaints:
            raise AssertionError(f"{self.path.name}: {self.complaints[0]}")
        return Seconds(took)

    def open_and_close(self) -> Seconds:
        """Open the page, and close it: an open view of a large one takes the processor from others."""
        took = self.open()
        self.view.close()
        self.view = None
        return took

    def thread_time(self) -> Seconds:
        """Return the processor's time of the thread that has parsed, run, styled and laid out the page."""
        found = self.session.send("Performance.getMetrics")["metrics"]
        return Seconds(next(x["value"] for x in found if x["name"] == "ThreadTime"))

    def search(self, text: str) -> None:
        """Search the list of operations, until the rows that are left are drawn."""
        self.view.locator(f"{LIST} input").fill(text)
        self.view.locator(f"{LIST} tbody a", has_text=text).first.wait_for()

    def choose(self, name: str) -> None:
        """Click an operation of the list, until it is described."""
        self.view.locator(f"{LIST} tbody a", has_text=name).first.click()
        self.view.locator("#operation h3", has_text=name).wait_for()

    def go_to_end(self, name: str) -> None:
        """Scroll to the last row of all operations, until it is drawn."""
        self.view.locator(f"{LIST} input").fill("")
        self.view.locator(f"{LIST} .scroll").evaluate("box => { box.scrollTop = box.scrollHeight; }")
        self.view.locator(f"{LIST} tbody a", has_text=name).first.wait_for()


@cache
def browser() -> Any:
    """Return a headless Chromium, which ends with this program; `Unavailable` if there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise Unavailable(f"none of {', '.join(BROWSERS)} is on the PATH (Debian: apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise Unavailable("no playwright: pip install playwright") from error
    playwright = sync_playwright().start()
    started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    atexit.register(playwright.stop)
    atexit.register(started.close)
    return started


def why_not() -> str:
    """Return why no page can be opened here, "" if it can."""
    try:
        browser()
    except Unavailable as why:
        return str(why)
    return ""


def page_calls(operations: int, program: str, args: list[Any]) -> dict[str, Callable[[], Any]]:
    """Return what is done with the page of a program of so many operations, one step after the other."""
    import interp
    from interp.engine.files import write_text

    folder = Path(tempfile.mkdtemp())
    trace = interp.trace(interp.load(program), *args)
    page, empty, plain = (folder / f"{name}.html" for name in ("page", "empty", "plain"))
    write_text(empty, "<!DOCTYPE html><title>empty</title>")
    write_text(plain, plain_table(trace.module))

    def write() -> Seconds:
        start = process_time()
        SIZES[operations] = trace.report(page).stat().st_size
        return Seconds(process_time() - start)

    calls: dict[str, Callable[[], Any]] = {"write, CPU": write}
    if why_not():
        return calls
    reader, last = Reader(page), trace.module.main.body.ops[-2].results[0].name
    middle = trace.module.main.body.ops[operations // 2].results[0].name
    calls |= {
        "open an empty page": Reader(empty).open_and_close,
        "open a plain table": Reader(plain).open_and_close,
        "open": reader.open,
        "open, CPU": reader.thread_time,
    }
    if operations >= LISTED:
        calls |= {
            "search": lambda: without_pauses(lambda: reader.search(middle)),
            "choose an operation": lambda: without_pauses(lambda: reader.choose(middle)),
            "scroll to the end": lambda: without_pauses(lambda: reader.go_to_end(last)),
        }
    return calls


def without_pauses(step: Callable[[], object]) -> Seconds:
    """Return the seconds of a step in the browser, without pauses of this process's garbage collector."""
    return Seconds(clocked(step, 1))


def plain_table(module: Any) -> str:
    """Return a page with a row for each operation: its name, kind, operands, type and place."""
    from html import escape

    heads = ("operation", "kind", "reads", "type", "where")
    rows = (
        (op.results[0].name, op.name, " ".join(v.name for v in op.operands), op.result.type, op.location)
        for op in module.main.body.ops[:-1]
    )
    lines = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in (heads, *rows))
    return (
        f"<!DOCTYPE html><title>plain</title><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
    )


def remarks() -> list[str]:
    """Return sentences about the pages that were written: their sizes, and why none was opened."""
    sizes = ", ".join(f"{size / count:,.0f} of {count:,}" for count, size in SIZES.items())
    why = why_not() if SIZES else ""
    told = [f"bytes of a page for each operation: {sizes}"] if SIZES else []
    return [*told, *([f"not opened: {why}"] if why else [])]
