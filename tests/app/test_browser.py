"""The whole way in a real browser: three tables, cancel, reload, undo, two tabs, keys alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.app.browser import needs_browser, opened, served, visit

needs_browser()
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser():
    with opened() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three tables: numbers; mixed with gaps and an identifier; text with a few categories."""
    made = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(3)
    n = 90
    pd.DataFrame(rng.normal(size=(n, 3)).round(3), columns=["x", "y", "z"]).to_csv(
        made / "numbers.csv", index=False
    )
    mixed = pd.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "school": rng.choice(["primary", "middle", "high"], n),
            "income": rng.lognormal(8, 1, n).round(2),
            "ill": rng.choice(["yes", "no"], n),
        }
    )
    mixed.loc[:6, "income"] = -9
    mixed.to_csv(made / "mixed.csv", index=False, sep=";")
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "town": rng.choice(list("abcd"), n)})
    frame.to_parquet(made / "text.parquet")
    return made


@pytest.fixture(scope="module")
def app(folder):
    with served(folder) as running:
        yield running


@pytest.fixture(scope="module")
def page(app, browser):
    """One page for the module: an address opens once."""
    with visit(browser, app) as made:
        yield made


def open_table(page, name):
    page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/")[2] + "/open")
    with page.expect_navigation():  # else the findings of an earlier table would do
        page.click(f"button.file:has-text('{name}')")
    page.wait_for_selector("#found .facts")


def declare(page, roles, then="next"):
    page.click("nav >> text=Declare")
    page.wait_for_selector(".column")
    for name, role in roles.items():
        row = page.locator(".column", has=page.get_by_role("heading", name=name, exact=True))
        row.locator("select[name^='role.']").select_option(role)
    page.click(f"#{then}")


def run(page, **limits):
    page.click("nav >> text=Run")
    for name, value in limits.items():
        page.fill(f"#f-{name}", value)
    page.click("#go")
    page.wait_for_selector("#onward")


def write(page, name):
    page.click("#onward")
    page.wait_for_selector(".verdict")
    for box in page.locator("#writing input[type=checkbox]").all():
        box.uncheck()
    page.check("input[name='item.release']")
    page.fill("#file-release", name)
    page.click("#write-go")
    page.wait_for_selector("#written")
    assert "proved, the smallest of" in page.inner_text(".proofs")


@pytest.mark.parametrize(
    ("table", "roles", "written"),
    [
        ("numbers.csv", {"x": "key", "y": "key", "z": "confidential"}, "numbers-out.csv"),
        (
            "mixed.csv",
            {"name": "identifier", "age": "key", "income": "key", "ill": "confidential"},
            "mixed-out.csv",
        ),
        ("text.parquet", {"sex": "key", "town": "key"}, "text-out.parquet"),
    ],
)
def test_the_whole_way(page, folder, table, roles, written):
    import coterie

    open_table(page, table)
    declare(page, roles)
    page.wait_for_url("**/choose")
    page.select_option("#f-method", "mdav")
    page.click("#next")
    page.wait_for_url("**/run")
    assert f"coterie anonymize {table}" in page.inner_text("#command")
    run(page)
    write(page, written)
    keys = [name for name, role in roles.items() if role == "key"]
    assert coterie.verify(folder / written, k=5, quasi_identifiers=keys).achieved >= 5
    hidden = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert hidden == []


def test_a_curve_is_taken_by_its_point(page):
    open_table(page, "numbers.csv")
    declare(page, {"x": "key", "y": "key", "z": "key"})
    page.wait_for_url("**/choose")
    page.fill("#sizes", "3, 4")
    ticked = page.locator("input[name=methods]:checked")
    while ticked.count():
        ticked.first.uncheck()
    page.check("input[name=methods][value=mdav]")
    page.click("#compute")
    page.wait_for_selector("#point-1")
    page.wait_for_selector("#stop-curve", state="detached")
    page.locator("#point-0").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("tr.chosen")
    assert page.input_value("#f-k") == "3"
    assert page.input_value("#f-method") == "mdav"


def test_undo_and_redo_and_the_history(page):
    open_table(page, "text.parquet")
    declare(page, {"sex": "key", "town": "key"}, then="apply")
    page.wait_for_selector("#toml:has-text('town')")
    page.click("#undo")
    page.wait_for_selector("#toml:not(:has-text('town'))")
    page.click("#redo")
    page.wait_for_selector("#toml:has-text('town')")
    page.click("footer >> text=History")
    first = page.locator("tbody tr").first
    first.locator("input[name=name]").fill("both keys")
    first.locator("button").first.click()
    page.wait_for_selector("#first option:has-text('both keys')", state="attached")
    options = page.locator("#first option")
    page.select_option("#first", index=options.count() - 2)
    page.select_option("#second", index=options.count() - 1)
    page.click("button:has-text('Compare')")
    assert "quasi_identifiers" in page.inner_text("#compared")


def test_a_running_job_is_paused_found_again_and_canceled(page, folder):
    open_table(page, "numbers.csv")
    declare(page, {"x": "key", "y": "key", "z": "key"})
    page.wait_for_url("**/choose")
    page.select_option("#f-method", "optimize")
    page.click("#next")
    page.wait_for_url("**/run")
    page.fill("#f-time_limit", "600")
    page.fill("#f-random_state", "1")
    before = sorted(path.name for path in folder.iterdir())
    page.click("#go")
    page.wait_for_selector("#do-cancel")
    page.goto("about:blank")  # a closed tab: the job goes on
    page.go_back()
    page.wait_for_selector("#do-pause, #do-resume, #onward")
    if page.locator("#do-pause").count():
        page.click("#do-pause")
        page.wait_for_selector("#do-resume, #onward")
    if page.locator("#do-cancel").count():
        page.click("#do-cancel")
        page.wait_for_selector("p.status.canceled, #onward")
    assert sorted(path.name for path in folder.iterdir()) == before


def test_two_tabs_see_each_other_and_the_older_word_does_not_count(page):
    open_table(page, "text.parquet")
    declare(page, {"sex": "key", "town": "other"}, then="apply")
    page.wait_for_selector("#toml:has-text('sex')")
    second = page.context.new_page()
    second.goto(page.url.replace("/declare", "/choose"))
    second.fill("#bar-il", "33")  # begun to be filled in
    declare(page, {"town": "key"}, then="apply")
    page.wait_for_selector("#toml:has-text('town')")
    second.wait_for_selector("#stale:not([hidden])")
    second.click("#choose button:has-text('Apply') >> nth=0")
    second.wait_for_selector(".note.warn:has-text('another tab')")
    assert "town" in second.inner_text("#toml")
    second.close()


def test_an_order_is_moved_by_the_keyboard(page):
    open_table(page, "mixed.csv")
    page.click("nav >> text=Declare")
    row = page.locator(".column", has=page.get_by_role("heading", name="school", exact=True))
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    row.get_by_role("button", name="Move primary up").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    row.locator("select[name^='role.']").select_option("key")
    page.click("#apply")
    page.wait_for_selector('#toml:has-text(\'order = ["primary", "high", "middle"]\')')


def test_what_can_be_pressed_does_something_however_late_the_script_comes(page):
    open_table(page, "mixed.csv")
    held = []
    page.route("**/static/app.js", lambda route: held.append(route))
    page.click("nav >> text=Declare", no_wait_after=True)
    while not held:
        page.wait_for_timeout(10)
    page.wait_for_timeout(500)  # for a page that would show itself without its script
    early = page.evaluate("document.querySelectorAll('[data-move]').length")
    held[0].continue_()
    page.unroute("**/static/app.js")
    page.wait_for_selector("[data-move]", state="attached")
    assert early == 0


def test_what_is_fetched_anew_keeps_the_focus_and_what_is_open(page):
    open_table(page, "mixed.csv")
    page.click("nav >> text=Declare")
    row = page.locator(".column", has=page.get_by_role("heading", name="school", exact=True))
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    row.get_by_role("button", name="Move primary up").focus()
    page.evaluate("async () => { window.old = document.getElementById('main'); }")
    page.evaluate("refresh(['state'])")
    assert page.evaluate("window.old !== document.getElementById('main')"), "not fetched anew"
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "Move primary up"
    assert row.locator("details").get_attribute("open") is not None


def test_a_path_outside_is_refused_and_says_nothing_of_it(page, folder):
    (folder.parent / "outside.csv").write_text("secret\n4711\n")
    open_table(page, "numbers.csv")
    page.evaluate(
        """() => {
            const form = document.querySelector("form[action='/open']");
            form.querySelector("[name=name]").value = "../outside.csv";
            form.requestSubmit();
        }"""
    )
    page.wait_for_selector(".note.warn:has-text('within the folder')")
    assert "4711" not in page.content()
    assert page.locator(".file:has-text('outside')").count() == 0


def test_a_wrong_token_opens_nothing(app, browser):
    context = browser.new_context()
    page = context.new_page()
    answer = page.goto(app.address)  # used already
    assert answer.status == 403
    assert "was used before" in page.content()
    assert page.goto(app.origin + "/open").status == 403
    context.close()


def test_another_site_cannot_send_a_form_or_read_a_page(page, app):
    """A page of another origin in the same browser, which has the cookie."""
    foreign = page.context.new_page()
    foreign.goto("data:text/html,<p>elsewhere")
    codes = []
    foreign.on("response", lambda answer: codes.append(answer.status))
    foreign.set_content(
        f"<form method=post action='{app.origin}/history/undo'><button>go</button></form>"
    )
    before = page.evaluate("document.body.dataset.state")
    foreign.click("button")
    foreign.wait_for_load_state()
    assert codes[0] == 403
    page.reload()
    assert page.evaluate("document.body.dataset.state") == before
    foreign.close()
