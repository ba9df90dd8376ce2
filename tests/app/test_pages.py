"""Every page as people meet it: by keyboard alone, small and wide, light and dark, enlarged.

With COTERIE_PICTURES=FOLDER the pages are kept there as pictures; those of the documentation are
made so.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.app.browser import needs_browser, opened, served, visit

needs_browser()
pytestmark = pytest.mark.browser

PAGES = ("open", "declare", "choose", "run", "release", "history")
SHAPES = {
    "desktop": {"viewport": {"width": 1280, "height": 860}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
RULES: set[str] = set()  # of axe, that something on some page was held against
PICTURES = os.environ.get("COTERIE_PICTURES")
COURSE = "document.querySelector('#course .loss')?.getAttribute('points').split(' ').length ?? 0"
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def browser():
    with opened() as made:
        yield made


@pytest.fixture(scope="module")
def app():
    with served() as running:
        yield running


def tab_to(page, target):
    """Press Tab until `target` has the focus, as somebody without a mouse does."""
    for _ in range(400):
        if page.evaluate("target => document.activeElement?.matches(target)", target):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached by Tab")


def keep(page, name, **options):
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(PICTURES) / f"{name}.png", **options)


@pytest.fixture(scope="module")
def finished(browser, app):
    """The five steps of the demonstration by keyboard alone; the page at its end."""
    with visit(browser, app) as page:
        page.wait_for_selector("#found .facts")
        keep(page, "step-1-open")
        tab_to(page, "a[href='/declare'].button")
        page.keyboard.press("Enter")
        page.wait_for_selector(".column")
        keep(page, "step-2-declare")
        tab_to(page, "#next")
        page.keyboard.press("Enter")
        page.wait_for_url("**/choose")
        tab_to(page, "input[value=auto]")
        page.keyboard.press("Space")
        tab_to(page, "#compute")
        page.keyboard.press("Enter")
        page.wait_for_selector("#point-3")
        page.wait_for_selector("#stop-curve", state="detached")
        tab_to(page, "#point-1")
        page.keyboard.press("Enter")
        page.wait_for_selector("tr.chosen")
        keep(page, "step-3-choose")
        tab_to(page, "#f-method")
        page.keyboard.type("optim")
        tab_to(page, "#next")
        page.keyboard.press("Enter")
        page.wait_for_url("**/run")
        tab_to(page, "#f-time_limit")
        page.keyboard.type("3600")  # longer than anybody waits: it is taken
        tab_to(page, "#f-random_state")
        page.keyboard.type("1")
        tab_to(page, "#go")
        page.keyboard.press("Enter")
        page.wait_for_selector("#loss:has-text('%')")
        while page.evaluate(COURSE) < 10:  # something is to be seen in the picture
            page.wait_for_timeout(200)
        tab_to(page, "#do-pause")
        page.keyboard.press("Enter")
        page.wait_for_selector("#do-resume")
        keep(page, "step-4-run")
        tab_to(page, "#do-resume")
        page.keyboard.press("Enter")
        page.wait_for_selector("#do-pause")
        tab_to(page, "#do-take")
        page.keyboard.press("Enter")
        page.wait_for_selector("#onward")
        tab_to(page, "#onward")
        page.keyboard.press("Enter")
        page.wait_for_selector(".verdict")
        keep(page, "step-5-release")
        tab_to(page, "#write-go")
        page.keyboard.press("Enter")
        page.wait_for_selector("#written")
        page.locator("#write").evaluate("one => one.scrollIntoView()")
        keep(page, "step-5-written")
        yield page


def test_the_five_steps_by_keyboard_alone(finished):
    assert "proved, the smallest of" in finished.inner_text(".proofs")
    assert "k = 5" in finished.inner_text("#toml")


def broken_rules(page):
    """Rules of axe that the page breaks, with the first place; those that it keeps are noted."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page, options={"resultTypes": ["violations", "passes"]}).response
    RULES.update(one["id"] for one in found["passes"])
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", PAGES)
def test_no_rule_of_axe_is_broken(finished, app, name, shape, scheme):
    finished.emulate_media(color_scheme=scheme)
    finished.set_viewport_size(SHAPES[shape]["viewport"])
    finished.goto(f"{app.origin}/{name}")
    keep(finished, f"{name}-{shape}-{scheme}", full_page=True)
    finished.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert broken_rules(finished) == []
    assert {"color-contrast", "button-name", "document-title", "list"} <= RULES


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_outside_of_the_steps_break_no_rule_either(browser, finished, app, scheme):
    """An address that is used up, and one that there is not; both are pages by themselves."""
    state = finished.context.storage_state()
    for kept, path in ((None, "/enter?ticket=used"), (state, "/nowhere")):
        context = browser.new_context(color_scheme=scheme, storage_state=kept)
        page = context.new_page()
        assert page.goto(app.origin + path).status in (403, 404)
        assert broken_rules(page) == []
        context.close()


def test_the_rules_of_axe_that_were_kept_are_those_of_the_guide(finished):
    """Each was applied to something on some page."""
    text = (DOCS / "reference" / "app.md").read_text(encoding="utf-8")
    listed = re.findall(r"`([a-z-]+)`", text.partition("## The rules of axe")[2])
    if PICTURES:
        (Path(PICTURES) / "rules.txt").write_text("\n".join(sorted(RULES)) + "\n")
    assert len(listed) > 50
    assert set(listed) - RULES == set()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_runs_out_of_the_page_at_any_width(finished, app, name):
    """640 is a window of 1280 enlarged to 200 %; 320 is one to 400 % (WCAG 1.4.10)."""
    finished.goto(f"{app.origin}/{name}")
    for width in (320, 640, 1280, 2200):
        finished.set_viewport_size({"width": width, "height": 800})
        assert finished.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_focus_is_always_seen(finished, app, name):
    finished.set_viewport_size(SHAPES["desktop"]["viewport"])
    finished.goto(f"{app.origin}/{name}")
    unseen = []
    for _ in range(30):
        finished.keyboard.press("Tab")
        found = finished.evaluate(
            """() => {
                const one = document.activeElement;
                if (!one || one === document.body) return null;
                const style = getComputedStyle(one);
                const drawn = one.querySelector?.(".touch");
                const ring = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
                return [one.outerHTML.slice(0, 80), ring || !!drawn];
            }"""
        )
        if found and not found[1]:
            unseen.append(found[0])
    assert unseen == []


def test_motion_stops_where_it_is_not_wanted(finished, app):
    finished.emulate_media(reduced_motion="reduce")
    finished.goto(f"{app.origin}/run")
    made = finished.evaluate(
        """() => {
            const one = document.body.appendChild(document.createElement("span"));
            one.className = "spinner";
            return getComputedStyle(one).animationName;
        }"""
    )
    finished.emulate_media(reduced_motion="no-preference")
    assert made == "none"


def test_numbers_are_written_as_the_browser_asks_for(browser, app, finished):
    context = browser.new_context(
        locale="de-DE", storage_state=finished.context.storage_state(), **SHAPES["desktop"]
    )
    page = context.new_page()
    page.goto(f"{app.origin}/release")
    shown = page.inner_text(".facts")
    context.close()
    assert "," in shown
    assert "." not in shown
