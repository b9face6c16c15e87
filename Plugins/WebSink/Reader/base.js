// The reader that jisui makes. Books come to it through `jisui.book`, at its end.
"use strict";

// What every part uses.

const byId = id => document.getElementById(id);
const clamp = (number, low, high) => Math.min(Math.max(number, low), Math.max(low, high));
const root = document.documentElement;
const stage = byId("stage");
const track = byId("track");
const strip = byId("strip");
const isServed = location.protocol === "http:" || location.protocol === "https:";
/** What text.js does to pages, drags and taps; null until a book has text or links. */
let overlay = null;
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** The reader's English texts in the browser's language; empty for English. See language.js. */
let translations = {};

/** A text of the reader in the browser's language, with values in place of "{0}", "{1}" and so on. */
const tr = (text, ...values) => (translations[text] ?? text).replace(/\{(\d)\}/g, (_, place) => values[place]);

/** An element with attributes; strings among its children become text, never markup. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** "1 place", "2 places". */
const counted = (count, one, many) => tr(count === 1 ? one : many, count);

/** Has Enter in a field do something, unless it ends the choice of letters in an input method. */
function onEnter(field, action) {
  field.addEventListener("keydown", event => { if (event.key === "Enter" && !event.isComposing && event.keyCode !== 229) action(); });
}

/** A button that does something. */
function button(attributes, action, ...children) {
  const element = make("button", attributes, ...children);
  element.addEventListener("click", action);
  return element;
}

/** Links to a book in other formats, which a browser saves under its title. */
const downloadLinks = (files, folder, title) => (files ?? []).map(([name]) => name).filter(name => /^book\.[a-z]{3,4}$/.test(name))
  .map(name => {
    const format = name.slice(5);
    return make("a", {
      class: "plain", href: folder + name, download: `${title}.${format}`,
      "aria-label": tr("Download {0} as {1}", title, format.toUpperCase()),
    }, format.toUpperCase());
  });

/** Text from a book: without control characters, on one line. */
const clean = text => String(text ?? "").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** Text of any direction, which turns nothing around it. */
const isolated = text => make("bdi", {}, clean(text));

/** Text to search in: letters of any width and case alike, katakana as hiragana. */
const folded = text => clean(text).normalize("NFKC").toLowerCase()
  .replace(/[\u30a1-\u30f6]/g, sign => String.fromCharCode(sign.charCodeAt(0) - 0x60));

// Scripts are added for shelves and texts, and only jisui's own: an address of any other form is refused.
const ownScript = /^(?:books\/[a-z0-9-]+\/)?(?:book|shelf|text(?:\/\d{3,})?)\.js$|^(?:sw|offline|print|files|[a-z]{2})\.js$/;
const policy = window.trustedTypes?.createPolicy("jisui", {
  createScriptURL(address) {
    if (ownScript.test(address)) return address;
    throw new TypeError("not a script of jisui's");
  },
});

function scriptAddress(address) {
  if (policy) return policy.createScriptURL(address);
  if (!ownScript.test(address)) throw new TypeError("not a script of jisui's");
  return address;
}

/** Runs a script of the folder's; `fetch` may not read files. */
function load(address) {
  return new Promise((resolve, reject) => {
    const script = make("script");
    script.src = scriptAddress(address);
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} cannot be loaded`));
    document.head.append(script);
  });
}

let toastTimer = 0;

/** A short message that goes by itself. */
function say(text) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.hidden = false;
  // Above dialogs that were opened before.
  toast.togglePopover?.(false);
  toast.togglePopover?.(true);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 4000);
}

let announceTimer = 0;

/** Tells a screen reader; of announcements that follow each other quickly only the last is heard. */
function announce(text) {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => { byId("live").textContent = text; }, 300);
}

/** Gives a file to whoever reads. */
function save(name, type, data) {
  const address = URL.createObjectURL(new Blob([data], {type}));
  const link = make("a", {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
