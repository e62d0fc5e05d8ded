"""The built documentation and a report in a browser: links, pictures, console, paper.

Pages are shown on a light desktop and on a dark phone.

``SKLEARN_DNFWINNOW_HTML`` names the folder of the built pages. Tests in a browser need
selenium, Chromium and chromedriver, and are skipped without.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import base64
import os
import re
import shutil
import threading
import tomllib
from functools import cache, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from sklearn_dnfwinnow import DNFWinnowClassifier, __version__
from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.inspection import report

ROOT = Path(__file__).parents[2]
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
# A page of A4 between margins of 15 mm, in pixels of CSS.
PAPER = 680, 1000
LEAST_CONTRAST = 3.0
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
# Text that differs too little from what is behind it, by the contrast ratio of WCAG 2.
FAINT = """
// Colors change gradually when a page gets its style.
document.head.append(Object.assign(document.createElement("style"), {
    textContent: "* { transition: none !important }"}));
const context = document.createElement("canvas").getContext("2d");
function color(text) {  // of any notation, as red, green, blue and opacity
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
}
function luminance(rgb) {
    const [r, g, b] = rgb.slice(0, 3).map(c => c / 255).map(
        c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function behind(element) {
    for (let e = element; e; e = e.parentElement) {
        const found = color(getComputedStyle(e).backgroundColor);
        if (found[3] > 200) return found;
    }
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return dark ? [0, 0, 0] : [255, 255, 255];
}
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = new Set();
while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility({
        opacityProperty: true, visibilityProperty: true})) continue;
    const style = getComputedStyle(element);
    const ink = color(element.closest("svg") ? style.fill : style.color);
    const [low, high] = [ink, behind(element)].map(luminance).sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < LEAST)
        found.add(element.outerHTML.slice(0, 100));
}
return [...found];
""".replace("LEAST", str(LEAST_CONTRAST))
# What paper cuts off: nothing can be scrolled there.
CUT_OFF = """
const width = document.documentElement.clientWidth;
return [...document.querySelectorAll("main *")].filter(
    e => e.getBoundingClientRect().right > width + 1).map(
    e => e.outerHTML.slice(0, 100));
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


def prefer(browser, scheme, media="screen"):
    """Make the browser show pages in a light or dark style, on a screen or on paper."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    settings = {"media": media, "features": [feature]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", settings)


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
        "faint": browser.execute_script(FAINT),
    }


NO_COMPLAINTS = {"console": [], "pictures": [], "wide": [], "faint": []}
SCREENS = pytest.mark.parametrize(
    ("size", "scheme"),
    [(DESKTOP, "light"), (PHONE, "dark")],
    ids=["light-desktop", "dark-phone"],
)


@SCREENS
@pytest.mark.parametrize("page", SEEN)
def test_pages_are_shown_without_complaints(browser, address, page, size, scheme):
    resize(browser, size)
    prefer(browser, scheme)
    browser.get_log("browser")
    browser.get(f"{address}/{page}")
    assert wait_for(browser, lambda browser: browser.title)
    assert complaints(browser) == NO_COMPLAINTS


def test_complaints_are_found(browser):
    resize(browser, PHONE)
    prefer(browser, "light")
    browser.get(
        "data:text/html,<meta name='viewport' content='width=device-width'>"
        "<main><img src='http://127.0.0.1:9/x.png'>"
        "<p style='width:500px;color:silver'>wide</p></main><script>missing()</script>"
    )
    found = complaints(browser)
    assert all(found.values()), found


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return the address of a report about a table of numbers and categories."""
    X, y = make_customers(900, as_frame=True, random_state=0)
    X = X.drop(columns=["customer_id", "signup_date"])
    clf = DNFWinnowClassifier(max_term_size=2, random_state=0).fit(X[:600], y[:600])
    path = tmp_path_factory.mktemp("report") / "report.html"
    return report(clf, X[600:], y[600:], path, X=X[:600], y=y[:600]).as_uri()


@SCREENS
def test_a_report_is_shown_without_complaints(browser, written, size, scheme):
    assert broken_links(Path(unquote(urlsplit(written).path))) == []
    resize(browser, size)
    prefer(browser, scheme)
    browser.get_log("browser")
    browser.get(written)
    assert complaints(browser) == NO_COMPLAINTS


def test_a_report_is_whole_on_paper(browser, written):
    resize(browser, PAPER)
    prefer(browser, "dark", media="print")
    browser.get(written)
    assert browser.execute_script(CUT_OFF) == []
    # Dark ink on white paper, whatever the screen has.
    assert browser.execute_script(FAINT) == []
    paper = browser.execute_script(
        "return getComputedStyle(document.body).backgroundColor"
    )
    assert paper == "rgb(255, 255, 255)"
    settings = {"preferCSSPageSize": True, "printBackground": True}
    printed = browser.execute_cdp_cmd("Page.printToPDF", settings)
    pages = re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"]))
    assert 3 <= len(pages) <= 12
    prefer(browser, "light")


def test_each_page_says_version_licence_and_addresses():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (HTML / "index.html").read_text("utf-8")
    foot = text[text.index('class="about"') :]
    assert f"Version {__version__}" in foot
    assert project["license"] in foot
    for address in project["urls"].values():
        assert f'href="{address}"' in foot


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
