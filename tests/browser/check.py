#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports in a browser: that they are quiet, ask for nothing, fit the screen,
can be read and reached, and do what their buttons say.

usage: check.py PROGRAM EXAMPLES PICTURES [PICTURE.png]

Pictures of the pages go to the folder PICTURES. With PICTURE.png only that one is made: the README's."""
import json
import pathlib
import re
import sys
import tempfile
import time

import contents
import png
from pages import EVIL, GRID, Maker
from webdriver import Browser

SHOWN = 200  # rows of a long table (MOST_ROWS of report.html)
DESK, PHONE = (1280, 850), (390, 740)

# The texts of a page whose colour is too near to that of their ground (WCAG 2: 4.5, or 3 if large).
FAINT_TEXTS = """
const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const colour = (text) => text.match(/[\\d.]+/g).map(Number);
const ground = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const c = colour(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] === 1) return c;
  }
  return [255, 255, 255];
};
const faint = [];
for (const element of document.querySelectorAll("body, body *")) {
  const says = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  if (!says || element.closest("svg") || !element.checkVisibility()) continue;
  const style = getComputedStyle(element), size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  const pair = [light(colour(style.color)), light(ground(element))].sort((a, b) => b - a);
  const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
  if (contrast < (large ? 3 : 4.5)) faint.push([element.tagName, element.className, contrast, element.textContent.slice(0, 40)]);
}
return faint;"""

# What is wrong with a page as a document.
FLAWS = """
const flaws = [], seen = new Set();
for (const { id } of document.querySelectorAll("[id]")) seen.has(id) ? flaws.push(`two are #${id}`) : seen.add(id);
for (const input of document.querySelectorAll("input, select"))
  if (!input.labels.length && !input.ariaLabel) flaws.push(`a control without a name: ${input.className}`);
for (const button of document.querySelectorAll("button"))
  if (!button.textContent.trim() && !button.ariaLabel) flaws.push("a button without a name");
for (const svg of document.querySelectorAll("svg:not([aria-hidden])"))
  if (!svg.querySelector("title")) flaws.push("a picture without a title");
for (const link of document.querySelectorAll("a[href^='#']"))
  if (!document.getElementById(link.hash.slice(1))) flaws.push(`${link.hash} leads nowhere`);
for (const element of document.querySelectorAll("*"))
  for (const { name } of element.attributes) if (name.startsWith("on")) flaws.push(`${name} in ${element.tagName}`);
if (document.querySelectorAll("h1").length !== 1) flaws.push("not one h1");
let level = 1;
for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
  if (heading.tagName[1] > level + 1) flaws.push(`a level is left out at "${heading.textContent}"`);
  level = Number(heading.tagName[1]);
}
return flaws;"""

# What the script has drawn, as lines of text.
DRAWN = """const page = document.querySelector("main").cloneNode(true);
for (const e of page.querySelectorAll("script, details.text, .picture:not(figure *), .player, svg style")) e.remove();
for (const e of page.querySelectorAll("td, th, p, li, dt, dd, h1, h2, h3, h4, summary, caption, figcaption, pre, text, title, label, button"))
  e.append(" | ");
return page.textContent.replace(/\\s+/g, " ").replace(/( \\|)+ (?=\\|)/g, (bars) => bars).trim()"""

# All that a page may have.
ELEMENTS = """a article aside body b button caption circle code desc details div figcaption figure footer g dd dl dt h1 h2 h3 h4 head html
input label li line main meta nav ol output p path pre rect script section span strong style summary svg table tbody td text th
thead title tr ul""".split()

CONTROLS = """return [...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")]
  .filter((e) => e.checkVisibility()).length"""
FOCUSED = """const e = document.activeElement;
if (!e || e === document.body) return null;
const { outlineStyle, outlineWidth } = getComputedStyle(e);
return [[...document.querySelectorAll("*")].indexOf(e), outlineStyle === "none" ? 0 : parseFloat(outlineWidth), e.outerHTML.slice(0, 80)]"""


class Checks:
    def __init__(self, browser, maker, pictures):
        self.browser, self.maker, self.pictures = browser, maker, pictures
        self.problems, self.count, self.name = [], 0, ""

    def expect(self, holds, what):
        self.count += 1
        if not holds:
            self.problems.append(f"{self.name}: {what}")
            print(f"browser: {self.name}: {what}", file=sys.stderr)

    def same(self, found, wanted, what):
        self.expect(found == wanted, f"{what}: {found!r}, expected {wanted!r}")

    def open(self, name, path):
        self.name, self.path = name, path
        self.browser.complaints()
        self.browser.requests()
        self.browser.open(path.as_uri())

    def quiet(self):
        self.same(self.browser.complaints(), [], "the console says")
        others = [url for url in self.browser.requests() if url != self.path.as_uri()]
        self.same(others, [], "asked for from outside")

    def fits(self):
        wide = self.browser.run("""const root = document.documentElement;
            return [...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll, .picture, svg, .skip") &&
                e.getBoundingClientRect().right > root.clientWidth + 1).map((e) => e.outerHTML.slice(0, 90)).slice(0, 3)
                .concat(root.scrollWidth > root.clientWidth ? [`${root.scrollWidth} pixels`] : [])""")
        self.same(wide, [], "wider than the screen")

    def keep(self, suffix):
        (self.pictures / f"{self.name}-{suffix}.png").write_bytes(self.browser.picture())

    # ---- what holds of all pages ----

    def page(self, name, path):
        browser = self.browser
        browser.size(*DESK)
        browser.scheme("light")
        self.open(name, path)
        self.expect(browser.title() not in ("", "taken"), f"the title is {browser.title()!r}")
        self.same(browser.run(FLAWS), [], "flaws")
        self.fits()
        self.same(browser.run(FAINT_TEXTS), [], "faint on light paper")
        self.keep("light")
        browser.scheme("dark")
        self.same(browser.run(FAINT_TEXTS), [], "faint on dark paper")
        ground = browser.run("return getComputedStyle(document.body).backgroundColor")
        self.same(ground, "rgb(21, 25, 34)", "dark paper")
        self.keep("dark")
        browser.scheme("light")
        browser.size(*PHONE)
        self.open(name, path)
        self.fits()
        self.same(browser.run("""return [...document.querySelectorAll("table.findings")].filter((t) =>
            t.getBoundingClientRect().width > t.parentElement.clientWidth + 1).length"""), 0, "findings to be moved aside")
        self.keep("phone")
        if name in ("grid", "pmin", "lake", "layers", "several", "runs"):
            self.same(self.browser.run("""return [...document.querySelectorAll(".scroll, .picture")]
                .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.slice(0, 60))"""),
                      [], "boxes to be scrolled sideways on a phone")
            self.arranged()
        self.printed()
        self.quiet()

    def arranged(self):
        """On a phone, panels are as large as in a wide window, none covers another, and charts are drawn anew."""
        found = self.browser.run("""return [...document.querySelectorAll(".picture svg:has(.opac-panel)")].map((svg) => {
            const boxes = [...svg.querySelectorAll(".opac-panel")].map((panel) => panel.getBoundingClientRect());
            const covers = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            const cell = svg.querySelector(".opac-place").getBoundingClientRect().width;
            return [boxes.length, boxes.some((a, i) => boxes.some((b, k) => i < k && covers(a, b))), cell > 26,
                boxes.every((box) => box.right <= svg.getBoundingClientRect().right + 1)]; })""")
        for count, covered, legible, inside in found:
            self.same([covered, legible, inside], [False, True, True], f"{count} panels on a phone")
        wide = """return new Promise((done) => setTimeout(() => done(
            [...document.querySelectorAll("svg.chart")].map((e) => e.viewBox.baseVal.width)), 100))"""
        narrow = self.browser.run(wide)
        self.browser.size(*DESK)
        self.expect(all(a < b for a, b in zip(narrow, self.browser.run(wide))), "charts are not drawn anew for a wide window")
        self.browser.size(*PHONE)
        self.same(self.browser.run(wide), narrow, "charts for a narrow window")

    def printed(self):
        pdf = self.browser.pdf()
        self.expect(pdf.startswith(b"%PDF-"), "printed, it is no PDF")
        (self.pictures / f"{self.name}.pdf").write_bytes(pdf)
        self.expect(b"/Page" in pdf and len(pdf) < 5_000_000, f"printed, it has {len(pdf)} bytes")

    def reached(self):
        """Every control has its turn by Tab, and is seen to have it."""
        browser, found = self.browser, {}
        browser.size(*DESK)
        browser.open(self.path.as_uri())
        wanted = browser.run(CONTROLS)
        for _ in range(wanted + 20):
            browser.press("Tab")
            focused = browser.run(FOCUSED)
            if focused is None or focused[0] in found:
                break
            found[focused[0]] = focused
        self.expect(len(found) >= wanted, f"{len(found)} of {wanted} controls reached by Tab")
        self.same(list(found), sorted(found), "the order of the focus")
        dim = [text for _, outline, text in found.values() if outline < 2]
        self.same(dim, [], "focus that is not seen")

    def without_script(self, name, path, *words):
        """The page has no controls that do nothing, and the text of each result."""
        browser = self.browser
        browser.scripts(False)
        self.open(name, path)
        shown = browser.run("""return [...document.querySelectorAll(".tools, .player, button, input")]
            .filter((e) => !e.closest("[hidden]")).length""")
        self.same(shown, 0, "controls that do nothing without the script")
        hidden = browser.run("""return [...document.querySelectorAll("section, table, pre, .picture svg")]
            .filter((e) => !e.checkVisibility()).length""")
        self.same(hidden, 0, "parts that are not visible without the script")
        text = browser.run("return document.body.innerText")
        for word in words:
            self.expect(word in text, f"without the script there is no {word!r}")
        self.quiet()
        browser.scripts(True)

    # ---- what pages say ----

    def contents(self, folder):
        """All cases of contents.py, each on a page of its own."""
        cases = [([json.dumps(result) for result in results], there, absent) for results, there, absent in contents.CASES]
        cases += [([text], there, absent) for text, there, absent in contents.RAW]
        for number, (results, there, absent) in enumerate(cases):
            (folder / f"r{number}.json").write_text("\n".join(results) + "\n", encoding="utf-8")
            self.open(f"case {number}", self.maker.report(f"case{number}", f"r{number}.json"))
            text = self.browser.run(DRAWN)
            for words in there:
                self.expect(words.replace("r0.json", f"r{number}.json") in text, f"no {words!r} in {text!r}")
            for words in absent:
                self.expect(words not in text, f"{words!r} in {text!r}")
            self.same(self.browser.run(FLAWS), [], "flaws")
            self.quiet()

    def digits(self):
        """All digits of a number that was rounded are in its title."""
        titles = self.browser.run("return [...document.querySelectorAll('span[title]')].map((e) => [e.title, e.textContent])")
        for title in ["0.12345678", "0.1235"], ["0.10000099", "0.1000"], ["0.12345612", "0.123456"], ["10418.8123", "10,418.8"]:
            self.expect(title in titles, f"no {title} among {titles}")

    def hostile_names(self, folder):
        """Names that try to become markup are text wherever they are, and nothing is run."""
        for number, name in enumerate([*contents.EVIL, "n<b>" * 2500]):
            result = contents.hostile(name)
            (folder / "evil.json").write_text(json.dumps(result) + "\n", encoding="utf-8")
            for kind, title in ("one", None), ("titled", name if "\0" not in name else None):
                self.open(f"evil {number} {kind}", self.maker.report(f"evil{number}{kind}", "evil.json", title=title))
                self.same(self.browser.run("return [...document.querySelectorAll('*')].map((e) => e.localName)"
                                           ".filter((n) => !arguments[0].includes(n))", ELEMENTS), [], "elements from names")
                self.same(self.browser.run(FLAWS), [], "flaws")
                text = self.browser.run("return document.body.textContent")
                shown = "".join(c if c.isprintable() or ord(c) < 128 and c >= " " and c != "\x7f" else
                                "".join(f"\\x{byte:02X}" for byte in c.encode()) for c in name)
                self.expect(text.count(shown) > 15, f"{shown[:60]!r} is there {text.count(shown)} times")
                self.same([c for c in set(text) if not c.isprintable() and c not in " \n"], [], "characters that are not visible")
                self.expect("taken" != self.browser.title(), "a script was run")
                self.fits()
                self.quiet()

    def forbidden(self):
        """The policy of the page: no inline handler, no other script or style, no address."""
        browser = self.browser
        browser.complaints()
        taken = browser.run("""const script = document.createElement("script");
            script.textContent = "window.taken = 1";
            const button = document.createElement("button");
            button.setAttribute("onclick", "window.taken = 2");
            const style = document.createElement("style");
            style.textContent = "h1 { display: none }";
            const image = document.createElement("img");
            image.src = "https://localhost/x.png";
            document.body.append(script, button, style, image);
            button.click();
            const seen = document.querySelector("h1").checkVisibility();
            for (const e of [script, button, style, image]) e.remove();
            return [window.taken ?? null, seen]""")
        self.same(taken, [None, True], "what is not the page's own is used")
        complaints = "".join(browser.complaints())
        for directive in "script-src", "style-src", "img-src":
            self.expect(directive in complaints, f"no {directive} forbids it: {complaints}")
        browser.requests()

    # ---- what reports can do ----

    def summary(self):
        """The first lines of a report are on the first screen of a phone, with a sign if they promise."""
        self.browser.size(*PHONE)
        found = self.browser.run("""const box = document.querySelector("article.result#r1 > .summary");
            return box && [box.getBoundingClientRect().bottom, box.className, box.textContent,
                getComputedStyle(box).borderLeftWidth]""")
        self.expect(found is not None, "no summary")
        if found:
            self.expect(found[0] < PHONE[1], f"the summary ends {found[0]} pixels down")
            good, bad = "good" in found[1], "bad" in found[1]
            self.same("\u2713" in found[2], good, "a tick")
            self.same("\u2717" in found[2], bad, "a cross")
            self.same("No guarantee" in found[2], bad, "that there is no guarantee, in words")

    def drawn(self, count):
        """The picture of a policy has so many places, all of which are seen."""
        self.browser.size(*DESK)
        sizes = self.browser.run("""return [...document.querySelectorAll("#r1-picture .opac-place")]
            .map((place) => place.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))""")
        self.same(len(sizes), count, "places of the picture")
        self.expect(all(size > 10 for size in sizes), f"places of sizes {sizes}")

    def folded(self):
        """A picture of many screens leaves the table in sight; unfolded, it shows where runs begin."""
        self.browser.size(*DESK)
        found = self.browser.run("""const box = document.querySelector("details:not([open]) > #r1-picture");
            if (!box || !document.getElementById("r1-decisions").checkVisibility()) return null;
            box.parentElement.open = true;
            return new Promise((done) => setTimeout(() => {
              const outer = box.getBoundingClientRect(), inner = box.querySelector(".opac-place").getBoundingClientRect();
              done([box.scrollHeight > outer.height, outer.height < innerHeight, inner.top >= outer.top - 1,
                  inner.bottom <= outer.bottom + 1, inner.left >= outer.left - 1]);
            }, 100))""")
        self.same(found, [True] * 5, "a large picture, unfolded")

    def still(self):
        """Who wants no motion has none, and what plays is not read aloud step by step."""
        browser = self.browser
        motion = """return [getComputedStyle(document.documentElement).scrollBehavior,
            getComputedStyle(document.querySelector(".opac-place rect")).transitionDuration]"""
        browser.scheme("light", reduced=True)
        self.same(browser.run(motion), ["auto", "0s"], "motion where it is not wanted")
        browser.scheme("light")
        self.expect(browser.run(motion) != ["auto", "0s"], "no motion where it is welcome")
        live = "return document.querySelector('.now').ariaLive || document.querySelector('.now').getAttribute('aria-live')"
        play = browser.find(".player [data-go=play]")
        self.same(browser.run(live), "polite", "aria-live of a step")
        play.click()
        self.same(browser.run(live), "off", "aria-live while it plays")
        play.click()
        self.same(browser.run(live), "polite", "aria-live when it was stopped")

    def on_paper(self):
        """Tools are not printed; names of columns are texts, which are repeated on each page."""
        self.browser.protocol("Emulation.setEmulatedMedia", media="print")
        shown = self.browser.run("""return [...document.querySelectorAll(".tools, .player, .more, .skip")]
            .filter((e) => e.checkVisibility()).length""")
        self.same(shown, 0, "tools on paper")
        displays = self.browser.run("""return [...new Set([...document.querySelectorAll("th button")]
            .map((e) => getComputedStyle(e).display))]""")
        self.same(displays, ["contents"], "names of columns on paper")
        self.browser.protocol("Emulation.setEmulatedMedia", media="")

    def sections(self, names):
        found = self.browser.run("""return [...document.querySelectorAll("article.result#r1 section")]
            .filter((s) => s.checkVisibility() && s.querySelector("h2, h3")).map((s) => s.classList[0])""")
        self.same([name for name in found if name in names], names, "sections, in order")

    def rows(self, table):
        return self.browser.run("""return [...document.getElementById(arguments[0]).tBodies[0].rows]
            .map((row) => [...row.cells].map((cell) => cell.textContent.trim()))""", table)

    def filter(self, words):
        box = self.browser.find(".filter")
        box.clear()
        box.type(words)
        return self.browser.find(".count").text()

    def all_rows(self):
        """Also those that are not laid out until asked for; and what is shown from now on."""
        rows = self.rows("r1-decisions")
        more = [button for button in self.browser.find_all(".more") if button.shown()]
        self.same(bool(more), len(rows) == SHOWN, "a button for further rows")
        if more:
            more[0].click()
            rows = self.rows("r1-decisions")
            self.same(more[0].shown(), False, "the button for further rows, when there are none")
        return rows

    def unfold(self):
        self.browser.run("for (const e of document.querySelectorAll('details')) e.open = true")

    def filters(self):
        """Words are sought in all columns, whatever their case, and all must be found."""
        self.unfold()
        rows = self.all_rows()
        word = [cell for cell in rows[-1] if re.fullmatch(r"[a-z]+", cell)][-1]  # the action
        state = rows[-1][0].split()[-1]
        for words in word, word.upper(), f"{word} {state}", "no-such-word":
            wanted = [row for row in rows
                      if all(any(part in cell.lower() for cell in row) for part in words.lower().split())]
            self.same(self.filter(words), f"{len(wanted)} of {len(rows)}", f"count for {words!r}")
            self.same(self.rows("r1-decisions"), wanted[:SHOWN], f"rows for {words!r}")
        memory = self.browser.run("""return [...document.querySelectorAll("#r1-decisions thead th")]
            .findIndex((head) => head.textContent.trim() === "memory")""")
        wanted = [row for row in rows if row[memory] == "1" and any(word in cell for cell in row)]
        self.same(self.filter(f"memory=1 {word}"), f"{len(wanted)} of {len(rows)}", "count for one column")
        last = len(rows[0]) - 1  # "next memory": blanks of a name are left out
        wanted = [row for row in rows if row[last] == "1"]
        self.same(self.filter("nextMemory=1"), f"{len(wanted)} of {len(rows)}", "count for a name with a blank")
        wanted = [row for row in rows if "x=1" in re.split(", ", row[0])]
        self.same(self.filter("x=1"), f"{len(wanted)} of {len(rows)}", "count for a value")
        wanted = [row for row in rows if "x=" in row[0]]
        self.same(self.filter("x="), f"{len(wanted)} of {len(rows)}", "count for a variable")
        self.filter("x\b")
        self.same(self.rows("r1-decisions"), rows[:SHOWN], "rows without a filter")

    def sorts(self):
        self.unfold()
        original = self.rows("r1-decisions")
        state = "return document.querySelectorAll('#r1-decisions thead th')[arguments[0]].ariaSort"
        for column, head in enumerate(self.browser.find_all("#r1-decisions thead th button")):
            head.click()
            cells = [row[column] for row in self.rows("r1-decisions")]
            if all(cell.isdigit() for cell in cells):
                self.same([int(cell) for cell in cells], sorted(int(cell) for cell in cells), "sorted numbers")
            else:
                natural = [[int(p) if p.isdigit() else p for p in re.split(r"(\d+)", cell)] for cell in cells if cell]
                self.expect(natural == sorted(natural, key=str) or natural == sorted(natural),
                            f"column {column} is not sorted: {cells[:9]}")
            self.same(self.browser.run(state, column), "ascending", "aria-sort")
            head.click()
            cells = [row[column] for row in self.rows("r1-decisions")]
            self.same(self.browser.run(state, column), "descending", "aria-sort")
            if all(cell.isdigit() for cell in cells):
                self.same([int(cell) for cell in cells], sorted((int(cell) for cell in cells), reverse=True), "sorted down")
            head.click()
            self.same(self.browser.run(state, column), None, "aria-sort")
        self.same(self.rows("r1-decisions"), original, "the order that it had")

    def where(self):
        """The step that is shown: its number, its row, and its place in the picture."""
        return self.browser.run("""const row = document.querySelector("#r1-steps tr.opac-now");
            const places = [...document.querySelectorAll(".opac-place.opac-now")];
            const drawn = document.querySelector(`.player .opac-place[data-memory="${row.dataset.memory}"]`);
            return [Number(document.querySelector(".player .where").value), row.rowIndex - 1,
                row.dataset.place, row.dataset.memory,
                places.map((p) => [p.dataset.place, drawn ? p.dataset.memory : row.dataset.memory]),
                document.querySelector(".now").textContent]""")

    def at(self, step, steps, how):
        value, index, place, memory, places, text = self.where()
        self.same([value, index], [step, step], f"step after {how}")
        self.same(places, [[place, memory]], f"marked after {how}")
        self.same(memory, str(steps[step]["memory"]), f"memory after {how}")
        if steps[step].get("action"):
            self.expect(steps[step]["action"] in text, f"after {how} it says {text!r}")

    def plays(self, name):
        steps, browser = self.maker.steps(name), self.browser
        last = len(self.rows("r1-steps")) - 1
        press = {go: browser.find(f".player [data-go={go}]") for go in ("first", "back", "play", "next", "last")}
        self.at(0, steps, "opening")
        for go, step in ("next", 1), ("next", 2), ("back", 1), ("last", last), ("next", last), ("first", 0), ("back", 0):
            press[go].click()
            self.at(step, steps, go)
        browser.run("document.querySelector('.player .where').focus()")
        for key, step in ("Right", 1), ("Right", 2), ("Left", 1), ("End", last), ("Home", 0):
            browser.press(key)
            self.at(step, steps, f"the key {key}")
        browser.press("Space")
        self.same(press["play"].text(), "Pause", "while it plays")
        for _ in range(100):
            if self.where()[0] >= 2:
                break
            time.sleep(0.05)
        self.expect(self.where()[0] >= 2, "it does not play")
        browser.press("Space")
        self.same(press["play"].text(), "Play", "when it was stopped")
        press["play"].click()
        press["first"].click()
        self.same(press["play"].text(), "Play", "when it went elsewhere")
        browser.find("#r1-steps tbody tr:nth-child(4)").click()
        self.at(3, steps, "a click on a row")
        browser.run("document.querySelector('.player .where').focus()")
        press["next"].click()
        browser.press("Left")
        self.at(3, steps, "an arrow key on a button")

    def hostile(self):
        """A simulator whose states and actions are markup."""
        browser = self.browser
        self.same(browser.run("return document.querySelectorAll('img, iframe, object').length"), 0, "elements from names")
        self.same(browser.run("return document.scripts.length"), 2, "scripts")
        self.expect(EVIL in browser.run("return document.querySelector('.sample').textContent"), "names are not there as texts")
        self.quiet()

    def speed(self):
        """Not judged: machines differ."""
        spent = self.browser.run("""const input = document.querySelector(".filter"), spent = [];
            input.focus();
            for (const word of ["l", "le", "left", "left 99", ""]) {
              const start = performance.now();
              input.value = word;
              input.dispatchEvent(new Event("input"));
              document.body.offsetHeight;
              spent.push(performance.now() - start);
            }
            return Math.max(...spent)""")
        count = self.browser.run("return document.querySelector('.count').textContent").replace("\u202f", "")
        print(f"browser: a filter of {count} takes {spent:.0f} ms at most")


def look(checks, maker):
    reports = maker.reports()
    for name, path in reports.items():
        checks.page(name, path)
    learned = ["answer", "policy", "sample", "progress", "question", "parameters"]
    for name in "grid", "bracket", "pmin", "lake", "layers", "graph", "simulator":
        checks.open(name, reports[name])
        checks.sections(learned)
        checks.summary()
        if name != "pmin":
            checks.plays(name)
        checks.quiet()
    for name in "grid", "large":
        checks.browser.size(*DESK)
        checks.open(name, reports[name])
        checks.filters()
        checks.sorts()
        checks.speed()
        checks.reached()
        checks.without_script(name, reports[name], "(G F s)" if name == "grid" else "(G F corner)")
    for name in "refuted", "short":
        checks.open(name, reports[name])
        checks.summary()
    for name, count in ("graph", 4), ("lake", 16), ("pmin", 12):
        checks.open(name, reports[name])
        checks.drawn(count)
    checks.still()
    checks.on_paper()
    checks.open("wide", reports["wide"])
    checks.folded()
    checks.plays("wide")
    checks.quiet()
    checks.open("several", reports["several"])
    checks.same(len(checks.browser.find_all("article.result")), 4, "results")
    checks.same(len(checks.browser.find_all("table.overview tbody tr")), 4, "rows of the overview")
    checks.reached()
    checks.open("hostile", reports["hostile"])
    checks.hostile()
    checks.forbidden()
    checks.contents(maker.folder)
    checks.open("digits", maker.report("digits", maker.save("digits", contents.DIGITS)))
    checks.digits()
    checks.hostile_names(maker.folder)


def portrait(browser, maker, target):
    """The README's: parts of the report that the demo writes: the first lines, the answer, the player, and a chart."""
    (maker.folder / "examples").symlink_to(maker.examples)
    page = maker.report("portrait", maker.result(
        "portrait", "learn", "examples/models/gridworld.prism", *GRID, "--pmin", "1/5"))
    browser.size(830, 800)
    browser.scheme("light", reduced=True)
    browser.open(page.as_uri())
    height = browser.run("""const go = document.querySelector(".player [data-go=next]");
        for (let i = 0; i < 7; i++) go.click();
        for (const e of document.querySelectorAll(".question, .policy, .parameters, .truth, .answer dl, " +
            ".answer ul, .answer h3, .progress .note, .progress > p, .sample > p"))
          e.remove();
        for (const e of document.querySelectorAll("section > h2")) e.style.marginTop = "0";
        document.querySelector(".progress figure").style.margin = "0";
        document.querySelector("#r1-steps").closest(".scroll").remove();
        return Math.ceil(document.querySelector(".progress figure").getBoundingClientRect().bottom + scrollY + 20)""")
    target.write_bytes(png.reduce(browser.picture(clip={"x": 0, "y": 0, "width": 830, "height": height})))
    print(f"browser: {target}: {target.stat().st_size} bytes")


def main():
    program, examples, pictures = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        maker = Maker(program, examples, folder)
        with Browser(f"{folder}/browser") as browser:
            if len(sys.argv) > 4:
                portrait(browser, maker, pathlib.Path(sys.argv[4]))
                return
            checks = Checks(browser, maker, pictures)
            look(checks, maker)
    if checks.problems:
        sys.exit(f"browser: {len(checks.problems)} of {checks.count} checks failed")
    print(f"browser: {checks.count} checks hold; pictures are in {sys.argv[3]}")


if __name__ == "__main__":
    main()
