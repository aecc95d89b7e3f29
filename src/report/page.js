// SPDX-License-Identifier: MIT
//
// What a page can do beyond being read: tables are sorted and filtered, trajectories are stepped
// through. Nothing is shown by this script that the page does not hold as text or picture already,
// and texts are only ever set as text.
"use strict";

const MOST_ROWS = 200; // of a filtered table that are laid out at a time
const PACE = 700; // milliseconds of a step that is played
const MOST_PLACES = 2000; // of a picture that stands by the player once more

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const cellText = (row, i) => (row.cells[i] ? row.cells[i].textContent.trim() : "");
// As the rest of the page has them: by three, from five digits on.
const grouped = (number) =>
  number < 10000 ? String(number) : String(number).replace(/\B(?=(\d{3})+$)/g, ",");

function make(name, text, className) {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
}

// ---- tables ----

// "12", "1e-3", "1/5", "12 345", "95 %" are numbers; all else is text, and stands behind them.
function sortKey(text) {
  const plain = text.replace(/[\s\u202f,](?=\d{3}(\D|$))/g, "").replace(/\s*%$/, "");
  const fraction = plain.split("/");
  const parts = fraction.map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (parts.length === 1 && !isNaN(parts[0])) return parts[0];
  if (parts.length === 2 && !isNaN(parts[0] / parts[1])) return parts[0] / parts[1];
  return text;
}

const collator = new Intl.Collator("en", { numeric: true });

function compareKeys(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return collator.compare(a, b);
}

// Whether it is there, and not as a part of a longer word or number.
function hasWhole(text, word) {
  const goesOn = (letter) => letter !== undefined && /[\w.]/.test(letter);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!goesOn(text[at - 1]) && !goesOn(text[at + word.length])) return true;
  return false;
}

// A table whose rows are taken out and put in as a whole: the browser lays it out once.
class Rows {
  constructor(table) {
    this.table = table;
    this.body = table.tBodies[0];
    this.heads = table.tHead ? [...table.tHead.rows[table.tHead.rows.length - 1].cells] : [];
    this.original = [...this.body.rows];
    this.order = this.original;
    this.texts = null; // of cells by row, in small letters: made when first asked for
    this.most = this.limit = Infinity; // rows that are shown now, and after the next word
    this.words = [];
    this.heads.forEach((head, column) => this.addButton(head, column));
  }

  addButton(head, column) {
    if (!head.textContent.trim() || this.original.length < 2) return;
    const button = make("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.title = "Sort by this column";
    button.addEventListener("click", () => this.sort(column));
  }

  // Upwards, downwards, and as it was.
  sort(column) {
    const head = this.heads[column];
    const now = head.getAttribute("aria-sort");
    const next = now === "ascending" ? "descending" : now === "descending" ? null : "ascending";
    for (const other of this.heads) other.removeAttribute("aria-sort");
    this.order = this.original;
    if (next) {
      head.setAttribute("aria-sort", next);
      const sign = next === "ascending" ? 1 : -1;
      const keys = this.original.map((row) => [sortKey(cellText(row, column)), row]);
      this.order = keys.sort((a, b) => sign * compareKeys(a[0], b[0])).map((pair) => pair[1]);
    }
    this.show();
  }

  // All words must be found, anywhere in a row; "memory=1" only in the column of that name (without
  // its blanks: "thenmemory=1"); "x=1" of another name as a whole, not in "x=10".
  filter(text) {
    this.most = this.limit;
    const names = this.heads.map((head) => head.textContent.replace(/\s+/g, "").toLowerCase());
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
      const equals = word.indexOf("=");
      const column = equals > 0 ? names.indexOf(word.slice(0, equals)) : -1;
      const value = word.slice(equals + 1);
      if (column >= 0) return (texts) => texts[column] === value;
      return equals > 0 && value ? (texts) => texts.some((cell) => hasWhole(cell, word))
        : (texts) => texts.some((cell) => cell.includes(word));
    });
    this.show();
  }

  matches(row) {
    const texts = this.texts.get(row);
    return this.words.every((isFoundIn) => isFoundIn(texts));
  }

  readTexts() {
    if (!this.texts)
      this.texts = new Map(this.original.map((row) =>
        [row, [...row.cells].map((cell) => cell.textContent.trim().toLowerCase())]));
  }

  show() {
    if (this.words.length) this.readTexts();
    const found = this.words.length ? this.order.filter((row) => this.matches(row)) : this.order;
    this.found = found.length;
    this.body.replaceChildren(...(found.length > this.most ? found.slice(0, this.most) : found));
    if (this.onShow) this.onShow();
  }
}

const tables = new Map();

function rowsOf(id) {
  const table = document.getElementById(id);
  if (!table || !table.tBodies[0]) return null;
  if (!tables.has(table)) tables.set(table, new Rows(table));
  return tables.get(table);
}

function addFilter(tools) {
  const input = tools.querySelector(".filter");
  const count = tools.querySelector(".count");
  const rows = input && rowsOf(input.dataset.table);
  if (!rows) return;
  const more = make("button", "", "more");
  more.type = "button";
  more.addEventListener("click", () => {
    rows.most = Infinity;
    rows.show();
  });
  (rows.table.closest(".scroll") || rows.table).after(more);
  rows.table.style.minWidth = `${rows.table.offsetWidth}px`; // columns do not jump
  rows.most = rows.limit = MOST_ROWS;
  rows.onShow = () => {
    const of = grouped(rows.original.length);
    count.textContent = rows.words.length ? `${grouped(rows.found)} of ${of}` : `${of} rows`;
    more.hidden = rows.found <= rows.most;
    more.textContent = `Show all ${grouped(rows.found)} rows (${rows.most} are shown)`;
  };
  input.addEventListener("focus", () => rows.readTexts()); // before the first key
  input.addEventListener("input", () => rows.filter(input.value));
  if (!input.placeholder) input.placeholder = "words, or column=value";
  if (!input.title) input.title = "Rows with all of these words, in any column; column=value looks in one, and is the whole of it";
  tools.hidden = false;
  if (input.value) rows.filter(input.value); // which the browser kept from before
  else rows.show();
}

// ---- pictures ----

// Within its box.
function revealPlace(box, place) {
  if (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight) return;
  const outer = box.getBoundingClientRect();
  const inner = place.getBoundingClientRect();
  if (inner.left < outer.left || inner.right > outer.right)
    box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}

// A large picture that is unfolded shows where runs begin, which is not always at its top.
function revealStart(details) {
  const box = details.querySelector(".picture");
  const start = box.querySelector(".opac-place");
  details.addEventListener("toggle", () => {
    if (details.open && start) revealPlace(box, start);
  });
}

// ---- the trajectory ----

class Player {
  constructor(element) {
    this.element = element;
    this.rows = rowsOf(element.dataset.table);
    this.steps = this.rows ? this.rows.original : [];
    if (!this.steps.length) return;
    this.heads = this.rows.heads.map((head) => head.textContent.trim());
    this.box = this.rows.table.closest(".scroll");
    this.now = element.querySelector(".now");
    this.where = element.querySelector(".where");
    this.where.min = 0;
    this.where.max = this.steps.length - 1;
    this.where.step = 1;
    if (!this.where.labels.length && !this.where.hasAttribute("aria-label"))
      this.where.setAttribute("aria-label", "Step");
    this.marked = [];
    this.timer = 0;
    this.findPlaces(document.getElementById(element.dataset.picture));
    this.listen();
    element.setAttribute("role", "group");
    if (!element.hasAttribute("aria-label")) element.setAttribute("aria-label", "Trajectory, step by step");
    element.hidden = false;
    this.where.value = 0; // also where the browser kept another from before
    this.go(0);
  }

  // The picture is drawn once more below the buttons, so that both are seen at a time; a large one
  // is marked where it stands.
  findPlaces(picture) {
    this.places = new Map();
    this.anywhere = new Map(); // by place alone
    const count = picture ? all(".opac-place", picture).length : 0;
    if (!count) return;
    if (count <= MOST_PLACES) {
      const copy = picture.cloneNode(true);
      copy.removeAttribute("id");
      this.element.append(copy);
      picture = copy;
    }
    this.picture = picture;
    for (const place of all(".opac-place", picture)) {
      this.places.set(JSON.stringify([place.dataset.memory, place.dataset.place]), place);
      if (!this.anywhere.has(place.dataset.place)) this.anywhere.set(place.dataset.place, place);
    }
  }

  listen() {
    const { element } = this;
    this.buttons = new Map(all("[data-go]", element).map((button) => [button.dataset.go, button]));
    for (const [name, button] of this.buttons) button.addEventListener("click", () => this.do(name));
    this.where.addEventListener("input", () => this.jump(Number(this.where.value)));
    element.addEventListener("keydown", (event) => this.key(event));
    this.rows.table.classList.add("steps");
    this.rows.body.addEventListener("click", (event) => {
      const step = this.steps.indexOf(event.target.closest("tr"));
      if (step >= 0) this.jump(step);
    });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const names = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    const name = names[event.key];
    // A button is pressed by the space bar: that is its own affair.
    if (!name || (event.key === " " && event.target.tagName === "BUTTON")) return;
    event.preventDefault();
    this.do(name);
  }

  do(name) {
    const last = this.steps.length - 1;
    if (name === "play") this.timer ? this.stop() : this.play();
    else this.jump({ first: 0, back: Math.max(0, this.at - 1), next: Math.min(last, this.at + 1), last }[name]);
  }

  jump(step) {
    this.stop();
    this.go(step);
  }

  play() {
    if (this.at === this.steps.length - 1) this.go(0);
    this.now.setAttribute("aria-live", "off"); // one step after the other is too much to be told
    this.timer = setInterval(() => {
      if (this.at + 1 < this.steps.length) this.go(this.at + 1);
      if (this.at + 1 === this.steps.length) this.stop();
    }, PACE);
    this.name();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.now.setAttribute("aria-live", "polite");
    this.name();
  }

  name() {
    const button = this.buttons.get("play");
    if (button) button.textContent = this.timer ? "Pause" : "Play";
  }

  go(step) {
    this.at = step;
    const row = this.steps[step];
    const { memory, place } = row.dataset;
    for (const element of this.marked) element.classList.remove("opac-now");
    if (this.row) this.row.removeAttribute("aria-current");
    this.row = row;
    row.setAttribute("aria-current", "step");
    // Where a memory value has no decisions, it has no panel: then the place alone is shown.
    const exact = this.places.get(JSON.stringify([memory, place]));
    const here = exact || this.anywhere.get(place);
    this.marked = [row, here, exact && exact.closest(".opac-panel")].filter(Boolean);
    for (const element of this.marked) element.classList.add("opac-now");
    this.where.value = step;
    this.where.setAttribute("aria-valuetext", `step ${cellText(row, 0)}`);
    this.tell(row);
    this.reveal(row);
    if (here) revealPlace(this.picture, here);
    // A disabled button loses the focus, so those at an end only say that they do nothing.
    for (const [name, button] of this.buttons) {
      const idle = name === "first" || name === "back" ? step === 0 : name !== "play" && step === this.steps.length - 1;
      button.setAttribute("aria-disabled", String(idle));
    }
  }

  // The row in words: each cell behind the name of its column.
  tell(row) {
    const last = cellText(this.steps[this.steps.length - 1], 0);
    const pieces = [...row.cells].map((cell, i) => {
      const text = cell.textContent.trim();
      const piece = make("span");
      const head = this.heads[i] || "";
      piece.append(make("span", i === 0 && !head ? "step" : head, "key"), " ", make("b", text || "none"));
      if (i === 0) piece.append(" ", make("span", `of ${last}`, "key"));
      return piece;
    });
    this.now.replaceChildren(...pieces.flatMap((piece) => [piece, " "]));
  }

  // Within its box: the page stays where it is.
  reveal(row) {
    if (!this.box || this.box.scrollHeight <= this.box.clientHeight) return;
    const head = this.rows.table.tHead ? this.rows.table.tHead.offsetHeight : 0;
    const top = row.offsetTop - this.rows.table.offsetTop;
    const { scrollTop, clientHeight } = this.box;
    if (top - head < scrollTop || top + row.offsetHeight > scrollTop + clientHeight)
      this.box.scrollTop = top - head - (clientHeight - head) / 3;
  }
}

// ---- the page ----

// Boxes that scroll can be reached by the keyboard, and say what they are.
function nameBoxes() {
  const boxes = all(".scroll, .picture, pre");
  const wide = boxes.map((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
  boxes.forEach((box, i) => {
    if (!wide[i]) return;
    const named = box.querySelector("caption, svg > title") ||
      (box.closest("figure, section, article") || document).querySelector("figcaption, h2, h3");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    if (named && !box.hasAttribute("aria-label")) box.setAttribute("aria-label", named.textContent.trim());
  });
}

// What is folded is printed, too.
function openForPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
}

for (const table of all("table.data[id]")) rowsOf(table.id);
for (const tools of all(".tools")) addFilter(tools);
for (const details of all("details:has(> .picture)")) revealStart(details);
for (const player of all(".player")) new Player(player);
nameBoxes();
addEventListener("resize", nameBoxes);
openForPrint();
