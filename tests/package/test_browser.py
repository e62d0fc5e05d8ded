"""The built documentation in a real browser: links, pictures, console, narrow screens.

``SKLEARN_DNFWINNOW_HTML`` names the folder of the built pages. Tests in a browser need
selenium, Chromium and chromedriver, and are skipped without.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import shutil
import threading
from functools import cache, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

HTML = Path(os.environ.get("SKLEARN_DNFWINNOW_HTML", ""))
if not (HTML / "genindex.html").is_file():
    reason = "SKLEARN_DNFWINNOW_HTML names no built documentation"
    pytest.skip(reason, allow_module_level=True)
PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if not path.is_relative_to(HTML / "_static")
)
# In a browser: all pages but those of the reference, of which there are two.
REFERENCE = "api/generated/sklearn_dnfwinnow."
SEEN = [
    page
    for page in PAGES
    if not page.startswith(("api/generated/", "_modules/"))
    or page.removeprefix(REFERENCE)
    in ("DNFWinnowClassifier.html", "inspection.explain.html")
]
# What the theme logs in a browser that has not been here before.
THEME = "Got invalid theme mode"
DESKTOP, PHONE = (1280, 900), (420, 800)
SECONDS = 20
PICTURES = """
const [images, done] = [[...document.images], arguments[0]];
images.forEach(image => { image.loading = "eager"; });
Promise.allSettled(images.map(image => image.decode())).then(() => done(
    images.filter(image => !image.naturalWidth).map(image => image.src)));
"""
# What is wider than the page, without a scroll bar of its own or around it.
OVERFLOW = """
const width = document.documentElement.clientWidth;
// They are shown when the mouse is near.
document.querySelectorAll(".headerlink").forEach(e => e.remove());
const scrolls = e => e && e !== document.body && (
    ["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX)
    || scrolls(e.parentElement));
const wide = [...document.querySelectorAll("main *, header *, footer *")].filter(
    e => e.getBoundingClientRect().right > width + 1 && e.offsetParent && !scrolls(e));
const clipped = [...document.querySelectorAll("h1, h2")].filter(
    e => e.scrollWidth > e.clientWidth + 1);
const found = [...new Set([...wide, ...clipped])].map(e => e.outerHTML.slice(0, 100));
if (document.documentElement.scrollWidth > width) found.push("the page");
return found;
"""


class Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors = set(), {""}

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors |= {attrs[name] for name in ("id", "name") if attrs.get(name)}
        self.links |= {attrs[name] for name in ("href", "src") if attrs.get(name)}


@cache
def links_of(path):
    parser = Links()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser.links, parser.anchors


def broken_links(path):
    """Return the internal links of a page that lead nowhere."""
    broken = []
    for link in links_of(path)[0]:
        target, anchor = urldefrag(link)
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        file = file / "index.html" if file.is_dir() else file
        found = file.is_file()
        if found and file.suffix == ".html":
            found = unquote(anchor) in links_of(file)[1]
        if not found:
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", PAGES)
def test_internal_links_lead_somewhere(page):
    assert broken_links(HTML / page) == []


def test_broken_links_are_found(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        '<p id="a"><a href="#a"><a href="#b"><a href="c.html"><img src="d">'
    )
    assert sorted(broken_links(page)) == ["#b", "c.html", "d"]


class QuietHandler(SimpleHTTPRequestHandler):
    """Serve files without a line for each, and an icon that browsers ask for."""

    def do_GET(self):
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address():
    handler = partial(QuietHandler, directory=str(HTML))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver")
    names = "chromium", "chromium-browser", "google-chrome"
    programs = [path for path in map(shutil.which, names) if path]
    driver = shutil.which("chromedriver")
    if not programs or driver is None:
        pytest.skip("neither Chromium nor chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    # Pages need no network.
    resolver = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", resolver):
        options.add_argument(argument)
    options.add_argument("--disable-dev-shm-usage")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=driver)
    browser = webdriver.Chrome(options=options, service=service)
    browser.set_script_timeout(SECONDS)
    yield browser
    browser.quit()


def resize(browser, size):
    """Give the browser a screen of some size; windows have a least width."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1}
    metrics["mobile"] = size == PHONE
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def wait_for(browser, condition):
    """Wait until a function of the browser returns something."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, SECONDS).until(condition)


def complaints(browser):
    """Return what is wrong with the page that a browser shows."""
    errors = [
        entry["message"]
        for entry in browser.get_log("browser")
        if entry["level"] == "SEVERE" and THEME not in entry["message"]
    ]
    missing = browser.execute_async_script(PICTURES)
    return {
        "console": errors,
        "pictures": missing,
        "wide": browser.execute_script(OVERFLOW),
    }


NO_COMPLAINTS = {"console": [], "pictures": [], "wide": []}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("page", SEEN)
def test_pages_are_shown_without_complaints(browser, address, page, size):
    resize(browser, size)
    browser.get_log("browser")
    browser.get(f"{address}/{page}")
    assert browser.title
    assert complaints(browser) == NO_COMPLAINTS


def test_complaints_are_found(browser):
    resize(browser, PHONE)
    browser.get(
        "data:text/html,<meta name='viewport' content='width=device-width'>"
        "<main><img src='http://127.0.0.1:9/x.png'>"
        "<p style='width:500px'>wide</p></main><script>missing()</script>"
    )
    found = complaints(browser)
    assert all(found.values()), found


def test_search_finds_pages(browser, address):
    resize(browser, DESKTOP)
    browser.get(f"{address}/search.html?q=margin")
    links = wait_for(
        browser, lambda b: b.find_elements("css selector", "#search-results li a")
    )
    assert complaints(browser) == NO_COMPLAINTS
    link = links[0].get_attribute("href")
    browser.get(link)
    assert "margin" in browser.find_element("css selector", "main").text.lower()


def test_from_the_landing_page_to_the_reference_and_the_gallery(browser, address):
    resize(browser, DESKTOP)

    def follow(part):
        """Go to the first link of the page that has something in its address."""
        links = browser.find_elements("css selector", f"a[href*='{part}']")
        assert links, part
        browser.get(links[0].get_attribute("href"))
        assert complaints(browser) == NO_COMPLAINTS
        return browser.find_element("css selector", "h1").text

    browser.get(f"{address}/index.html")
    assert follow("api.html").startswith("API")
    assert "DNFWinnowClassifier" in follow("sklearn_dnfwinnow.DNFWinnowClassifier.html")
    browser.get(f"{address}/index.html")
    assert follow("auto_examples/index.html")
    assert follow("plot_")
