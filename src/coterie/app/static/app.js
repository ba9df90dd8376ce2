// The one script of the pages: what changes while a page is open. Everything else is plain forms.
// It runs before the body is read, so that no button is ever shown that does nothing yet.
"use strict";

let shown = {}; // versions that the page was made from
let dirty = false;

const announce = (text) => { const said = document.getElementById("said"); if (said) said.textContent = text; };
const numbers = (digits) => new Intl.NumberFormat(undefined, { maximumSignificantDigits: digits });
const percent = (value) => value === null || value === undefined ? "–" : numbers(3).format(value) + "\u00a0%";

// Numbers and moments as the browser's language has them.
function localize(root) {
  for (const one of root.querySelectorAll("data.num")) {
    const value = Number(one.value), digits = Number(one.dataset.digits);
    const whole = Number.isInteger(value);
    one.textContent = (whole ? new Intl.NumberFormat() : numbers(digits)).format(value);
  }
  for (const one of root.querySelectorAll("time")) {
    one.textContent = new Date(one.dateTime).toLocaleTimeString();
  }
}

// The course of the search: loss against seconds, and the bound where there is one.
function draw(svg, course) {
  const wide = 640, high = 220, left = 52, right = 12, top = 10, bottom = 28;
  const make = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    svg.append(element);
  };
  svg.replaceChildren();
  if (!course.length) return;
  const last = Math.max(course[course.length - 1][0], 0.1);
  const values = course.flatMap((one) => one[2] === null ? [one[1]] : [one[1], one[2]]);
  let low = Math.min(...values), most = Math.max(...values);
  const slack = Math.max((most - low) * 0.1, most * 0.005, 1e-9);
  low = Math.max(low - slack, 0); most += slack;
  const x = (seconds) => left + (wide - left - right) * seconds / last;
  const y = (loss) => high - bottom - (high - top - bottom) * (loss - low) / (most - low);
  for (const share of [0, 0.5, 1]) {
    const value = low + (most - low) * share;
    make("line", { class: "rule", x1: left, x2: wide - right, y1: y(value), y2: y(value) });
    make("text", { class: "tick", x: left - 8, y: y(value) + 4, "text-anchor": "end" }, numbers(3).format(value));
    make("text", { class: "tick", x: x(last * share), y: high - 8, "text-anchor": share === 1 ? "end" : "middle" }, numbers(2).format(last * share) + " s");
  }
  const path = (place) => course.filter((one) => one[place] !== null).map((one) => `${x(one[0]).toFixed(1)},${y(one[place]).toFixed(1)}`).join(" ");
  make("polyline", { class: "loss", points: path(1) });
  make("polyline", { class: "bound", points: path(2) });
}

function prepare(root) {
  localize(root);
  for (const svg of root.querySelectorAll("svg[data-course]")) draw(svg, JSON.parse(svg.dataset.course));
}

// One after the other: of two answers under way the older one must not be shown last.
const outdated = new Set();
let renewing = null;
function refresh(changed) {
  for (const name of changed) outdated.add(name);
  renewing ??= (async () => {
    while (outdated.size) {
      const now = [...outdated];
      outdated.clear();
      await renew(now).catch(() => {}); // the server is gone: the page says so elsewhere
    }
    renewing = null;
  })();
  return renewing;
}

// Where an element stands, told so that its equal on a page made anew is found: below the nearest
// element with an id, the same of those with its tag.
function place(element) {
  const holder = element && element.closest("[id]");
  if (!holder) return () => null;
  const at = holder === element ? -1 : [...holder.querySelectorAll(element.tagName)].indexOf(element);
  return () => {
    const again = document.getElementById(holder.id);
    return again && at >= 0 ? again.querySelectorAll(element.tagName)[at] : again;
  };
}

// Parts of the page that were made from what has changed since are fetched anew; focus stays.
async function renew(changed) {
  const parts = [...document.querySelectorAll("[data-watch]")].filter((one) => one.dataset.watch.split(" ").some((name) => changed.includes(name)));
  if (!parts.length) return;
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement !== document.body && document.activeElement;
  const again = place(focused);
  const whole = parts.some((one) => one.id === "main" || "whole" in one.dataset);
  if (whole && dirty) { document.getElementById("stale").hidden = false; return; } // begun meanwhile
  const doomed = whole ? [document.getElementById("main"), document.getElementById("aside")] : parts;
  for (const part of doomed) {
    const fresh = page.getElementById(part.id);
    if (!fresh) continue;
    for (const details of part.querySelectorAll("details[id][open]")) {
      const same = fresh.querySelector("#" + details.id);
      if (same) same.open = true;
    }
    part.replaceWith(fresh);
    prepare(fresh);
  }
  document.body.dataset.state = page.body.dataset.state;
  if (focused && (!document.activeElement || document.activeElement === document.body)) {
    (again() || document.getElementById("main")).focus({ preventScroll: true });
  }
}

function live(job) {
  const part = document.querySelector(`[data-job="${job.number}"]`);
  if (!part) return;
  const put = (id, text) => { const one = document.getElementById(id); if (one && one.textContent !== text) one.textContent = text; };
  put("phase", job.phase);
  put("loss", percent(job.loss));
  put("bound", percent(job.bound));
  put("gap", job.bound && job.loss !== null ? percent(100 * (job.loss - job.bound) / job.bound) : "–");
  put("seconds", numbers(2).format(job.seconds));
  const share = document.getElementById("share");
  if (share) { if (job.fraction === null) share.removeAttribute("value"); else share.value = job.fraction; }
  const svg = document.getElementById("course");
  if (svg) draw(svg, job.course);
}

let lastStatus = null;
function hear(news) {
  document.getElementById("lost").hidden = true;
  const changed = Object.keys(news.versions).filter((name) => news.versions[name] !== shown[name]);
  const status = news.job && `${news.job.number} ${news.job.status}`;
  if (lastStatus !== null && status !== lastStatus && !changed.includes("job")) changed.push("job");
  lastStatus = status;
  Object.assign(shown, news.versions);
  if (changed.includes("state") && dirty) {
    document.getElementById("stale").hidden = false;
    changed.splice(changed.indexOf("state"), 1);
  }
  if (changed.includes("look") && dirty) changed.splice(changed.indexOf("look"), 1);
  const done = changed.length ? refresh(changed) : Promise.resolve();
  if (news.job) done.then(() => live(news.job));
}

function listen() {
  const events = new EventSource("/events");
  events.onmessage = (event) => hear(JSON.parse(event.data));
  events.onerror = () => { if (events.readyState === EventSource.CLOSED || !navigator.onLine) document.getElementById("lost").hidden = false; else setTimeout(() => { if (events.readyState !== EventSource.OPEN) document.getElementById("lost").hidden = false; }, 1500); };
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}

document.addEventListener("input", (event) => { if (event.target.closest("form[method=post]")) dirty = true; });
document.addEventListener("submit", () => { dirty = false; });

document.addEventListener("click", async (event) => {
  const target = event.target.closest("[data-copy], [data-move], [data-submit], [data-reload]");
  if (!target) return;
  if ("copy" in target.dataset) {
    await navigator.clipboard.writeText(document.getElementById(target.dataset.copy).textContent);
    announce(document.body.dataset.copied);
  } else if ("move" in target.dataset) move(target);
  else if ("submit" in target.dataset) submit(target);
  else location.reload();
});

document.addEventListener("keydown", (event) => {
  const point = event.target.closest("[data-submit]");
  if (point && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); submit(point); }
});

function submit(point) {
  const form = document.getElementById(point.dataset.submit);
  if (form && form.querySelector("button")) form.requestSubmit();
}

// A value of an ordinal one place up or down; the hidden field holds the places in their order.
function move(button) {
  const item = button.closest("li"), list = item.parentElement;
  const other = button.dataset.move === "-1" ? item.previousElementSibling : item.nextElementSibling;
  if (!other) return;
  if (button.dataset.move === "-1") other.before(item); else other.after(item);
  const field = document.getElementById(list.dataset.order);
  field.value = [...list.children].map((one) => one.dataset.place).join(",");
  const type = field.closest(".column").querySelector("select[name^='type.']");
  if (type.value !== "ordinal") type.value = "ordinal";
  dirty = true;
  button.focus();
  const place = [...list.children].indexOf(item) + 1;
  announce(document.body.dataset.moved.replace("{value}", item.firstElementChild.textContent).replace("{place}", place).replace("{count}", list.children.length));
}

document.addEventListener("DOMContentLoaded", () => {
  shown = JSON.parse(document.body.dataset.versions || "{}");
  prepare(document);
  if (document.getElementById("said")) listen();
});
