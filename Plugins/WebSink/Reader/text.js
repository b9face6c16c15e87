// The text and the links of pages, over their pictures: selecting, searching, following. Books without them do without this file.
"use strict";

/** What a side of a page is long in the files, and how many pages a file holds. */
const textUnit = 100_000;
const pagesPerText = 100;
/** The pixels that a layer of text is wide, whatever its page is: letters are larger than the least size of any browser. */
const layerWidth = 2000;
const textFile = number => `${base}text/${String(number).padStart(3, "0")}.js`;
const pen = make("canvas").getContext("2d");
pen.font = "100px sans-serif";

/** The pages of files of text, by their addresses: what arrived, and what is on its way. */
const arrivedTexts = new Map();
const texts = new Map();
/** The words of layers, with their boxes in pixels of the layer, by the boxes of the pages. */
const wordsOf = new WeakMap();
/** The links of the book's pages, by place. */
let linksOf = new Map();

jisui.text = pages => arrivedTexts.set(document.currentScript.getAttribute("src"), pages);

/** The lines of a page, once their file is there: [direction, quarter turns, [[word, left, top, right, bottom], …]] each. */
async function linesOf(place) {
  const number = Math.floor(place / pagesPerText);
  if (!book.texts.includes(number)) return [];
  const address = textFile(number);
  if (!texts.has(address)) texts.set(address, load(address).then(() => arrivedTexts.get(address) ?? []));
  return (await texts.get(address))[place % pagesPerText] ?? [];
}

/** Begins with a book that has text or links: those of its pages that are there already get theirs. */
function showText() {
  // Whoever reads may be back at the shelf before this file is there.
  if (!book) return;
  for (const id of ["search-button", "touch-text"]) byId(id).hidden = !book.texts.length;
  linksOf = Map.groupBy(book.links, ([place]) => place);
  indexes = null;
  endSearch();
  for (const {pages} of held.values()) for (const page of pages) if (page.filled) addText(page);
  for (const page of stripPages) if (page.filled) addText(page);
}

// MARK: Layers

/** Whether a line that is not turned runs to the right, down, or to the left; each quarter turn is one more. */
const ways = {ltr: 0, vertical: 1, rtl: 2};

const scaleLayers = new ResizeObserver(entries => {
  for (const {target} of entries) {
    const layer = target.querySelector(".text");
    if (layer) layer.style.scale = target.offsetWidth / layerWidth;
    else scaleLayers.unobserve(target);
  }
});

async function addText(page) {
  const opened = book;
  const lines = await linesOf(page.place).catch(() => say("A part of the text cannot be loaded.") ?? []);
  // A page of many words takes some milliseconds, by which no turn is to be late.
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  // It was let go meanwhile, or another book was opened.
  if (opened !== book || !page.filled || page.layer) return;
  const links = linksOf.get(page.place) ?? [];
  if (!lines.length && !links.length) return;
  const [, , width, height] = book.pages[page.place].part;
  const size = {width: layerWidth, height: layerWidth * height / width};
  page.layer = make("span", {class: "text", lang: book.language});
  Object.assign(page.layer.style, {width: `${size.width}px`, height: `${size.height}px`, scale: page.box.offsetWidth / layerWidth});
  const words = [];
  page.layer.append(...lines.map(line => lineElement(line, size, words)), ...links.map(link => linkElement(link, size)));
  wordsOf.set(page.box, words);
  page.box.append(page.layer);
  scaleLayers.observe(page.box);
  markPage(page);
}

function removeText(page) {
  page.layer?.remove();
  page.layer = null;
}

/** A box of a file in pixels of the layer. */
const boxIn = ({width, height}, [left, top, right, bottom]) => ({
  left: left / textUnit * width, top: top / textUnit * height, right: right / textUnit * width, bottom: bottom / textUnit * height,
});

function lineElement([direction, turns, line], size, words) {
  const element = make("span", {class: "line", dir: direction === "rtl" ? "rtl" : "ltr"});
  for (const [text, ...edges] of line) {
    const box = boxIn(size, edges);
    const word = make("span", {class: direction === "vertical" ? "down" : null}, text);
    placeWord(word, text, box, direction === "vertical", turns);
    words.push({element: word, box, way: (ways[direction] + turns) % 4});
    element.append(word, " ");
  }
  return element;
}

/** Puts a word's letters where they are in the picture: as high as its box, and stretched along the line to fill it. */
function placeWord(word, text, {left, top, right, bottom}, isVertical, turns) {
  const [width, height] = turns % 2 ? [bottom - top, right - left] : [right - left, bottom - top];
  const [length, size] = isVertical ? [height, width] : [width, height];
  const stretch = length / Math.max(1, pen.measureText(text).width * size / 100);
  const corner = [[left, top], [right, top], [right, bottom], [left, bottom]][turns];
  word.style.fontSize = `${size}px`;
  word.style.transform = `translate(${corner[0]}px, ${corner[1]}px) rotate(${90 * turns}deg) `
    + (isVertical ? `scaleY(${stretch})` : `scaleX(${stretch})`);
}

function placeBox(element, {left, top, right, bottom}) {
  Object.assign(element.style, {left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px`});
  return element;
}

// MARK: Links

/** A link over a page: to another page, or to an address that only shows something, writes a message or calls somebody. */
function linkElement([, target, ...edges], size) {
  const isInside = Number.isInteger(target);
  const isSafe = isInside ? Boolean(book.pages[target]) : /^(?:https?|mailto|tel):/.test(target);
  const link = make("a", isInside
    ? {href: `#${shelf ? `b=${book.id}&` : ""}p=${target + 1}`, "aria-label": `To page ${book.pages[target]?.label}`}
    : {href: isSafe ? target : null, "aria-label": target, title: target, target: "_blank", rel: "noopener noreferrer"});
  return placeBox(link, boxIn(size, edges));
}

/** Follows the link at a point of the window, when there is one. */
function followLink(x, y) {
  const link = document.elementFromPoint(x, y)?.closest(".text a");
  link?.click();
  return Boolean(link);
}

document.addEventListener("click", event => {
  const link = event.target.closest(".text a");
  if (!link) return;
  // Of what a finger or a mouse does only a tap follows a link, and that is told by `tap`.
  if (event.isTrusted && event.detail > 0) event.preventDefault();
  // The address is to lead back here.
  else saveNow();
});

// MARK: Selecting

let selectsByTouch = false;
/** Where a selection began: a text and a place in it. */
let selectedFrom = null;

byId("touch-text").addEventListener("change", ({target}) => { selectsByTouch = target.checked; });

for (const area of [stage, strip]) {
  area.addEventListener("pointerdown", event => {
    const isMouse = event.pointerType === "mouse";
    root.classList.toggle("selects", isMouse || selectsByTouch);
    // Fingers select as the browser has it, with its handles.
    if (selectsByTouch && !isMouse && event.target.closest(".line")) return event.stopPropagation();
    const selection = getSelection();
    if (event.button !== 0 || selection.isCollapsed) return;
    const isSeen = !selection.anchorNode.parentElement.closest("[inert]");
    selection.removeAllRanges();
    // What was selected is let go, and no more.
    if (isSeen) event.stopPropagation();
  }, {capture: true});
  // The browser's own way to select leaps to the ends of the page between lines.
  area.addEventListener("mousedown", event => {
    if (selectsByTouch || !event.target.closest(".line")) return;
    event.preventDefault();
    focusPages();
  });
}

/** Selects by a drag that began on text; false for any other. */
function dragText({pointerType, clientX, clientY}) {
  if (press.is === "tap") {
    if (pointerType !== "mouse" || !document.elementFromPoint(press.x, press.y)?.closest(".line")) return false;
    selectedFrom = caretAt(press.x, press.y);
  }
  const to = caretAt(clientX, clientY);
  if (selectedFrom && to) getSelection().setBaseAndExtent(...selectedFrom, ...to);
  return true;
}

/** The place between two letters that is nearest to a point of the window, as a text and a place in it. */
function caretAt(x, y) {
  let nearest = null;
  let least = Infinity;
  for (const box of seenBoxes()) {
    const {left, top, width} = box.getBoundingClientRect();
    const scale = width / layerWidth;
    for (const word of wordsOf.get(box) ?? []) {
      const across = Math.max(word.box.left * scale + left - x, 0, x - left - word.box.right * scale);
      const down = Math.max(word.box.top * scale + top - y, 0, y - top - word.box.bottom * scale);
      const distance = Math.hypot(across, down);
      if (distance < least) [nearest, least] = [word, distance];
    }
  }
  if (!nearest) return null;
  const {element: {firstChild: text}, way} = nearest;
  const range = document.createRange();
  let offset = 0;
  for (const sign of text.data) {
    range.setStart(text, offset);
    range.setEnd(text, offset + sign.length);
    const {left, top, right, bottom} = range.getBoundingClientRect();
    const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
    if ([x < middleX, y < middleY, x > middleX, y > middleY][way]) break;
    offset += sign.length;
  }
  return [text, offset];
}

/** What is selected, with a space between words and each line by itself. */
function selectedText() {
  const selection = getSelection();
  if (selection.isCollapsed) return "";
  const range = selection.getRangeAt(0);
  const lines = [...document.querySelectorAll(".text .line")].filter(line => range.intersectsNode(line)).map(line =>
    [...line.children].filter(word => range.intersectsNode(word)).map(({firstChild: text}) => text.data.slice(
      range.startContainer === text ? range.startOffset : 0, range.endContainer === text ? range.endOffset : undefined,
    )).filter(Boolean).join(" "));
  return lines.filter(Boolean).join("\n");
}

document.addEventListener("copy", event => {
  const text = selectedText();
  if (!text) return;
  event.clipboardData.setData("text/plain", text);
  event.preventDefault();
});

// MARK: Searching

/** The most places that are listed. */
const mostFound = 500;
/** The text of each page to search in; null until somebody searches. */
let indexes = null;
/** The places that were found: {place, from, to} in the folded text of a page. */
let found = [];
/** The one that was gone to. */
let foundPlace = -1;
let searchTimer = 0;
let searching = 0;

/** Text to search in: hyphens say nothing, since they stand where lines are broken. */
const foldedText = text => folded(text).replace(/[-\u00ad\u2010\u2011]/g, "");
const runsOn = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff01-\uff60]/u;

/** A page's text in one piece, and where each word stands in it. */
function indexLines(lines) {
  const words = [];
  let text = "";
  let last = "";
  for (const [direction, turns, line] of lines) {
    line.forEach(([word, ...edges], rank) => {
      const isBroken = rank === 0 && (/[-\u00ad\u2010]$/.test(last) || runsOn.test(last.slice(-1)) && runsOn.test(word[0]));
      if (text && !isBroken) text += " ";
      const start = text.length;
      text += foldedText(word);
      words.push({word, edges, start, end: text.length, way: (ways[direction] + turns) % 4});
      last = word;
    });
  }
  return {text, words};
}

/** Reads the whole book's text, a file after the other. */
async function readIndexes() {
  const [opened, read] = [book, []];
  for (const {place} of book.pages) {
    if (place % pagesPerText === 0) byId("found").textContent = `Reading page ${place + 1} of ${book.pages.length} …`;
    read.push(indexLines(await linesOf(place)));
    if (opened !== book) return;
  }
  indexes = read;
}

async function search() {
  const round = ++searching;
  const wanted = foldedText(byId("words").value);
  try {
    if (wanted && !indexes) await readIndexes();
  } catch {
    byId("found").textContent = "The text cannot be loaded.";
    return;
  }
  if (round !== searching || !book) return;
  found = [];
  foundPlace = -1;
  for (let place = 0; wanted && indexes && place < indexes.length; place++) {
    const {text} = indexes[place];
    for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
      found.push({place, from, to: from + wanted.length});
    }
  }
  const pages = new Set(found.map(({place}) => place)).size;
  const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
  byId("found").textContent = !wanted ? "" : !found.length ? "Nothing was found."
    : `${counted(found.length, "place")} on ${counted(pages, "page")}` + (found.length > mostFound ? `, of which the first ${mostFound} are listed` : "");
  byId("hits").replaceChildren(...found.slice(0, mostFound).map((hit, rank) => make("li", {}, button(
    {"data-hit": rank}, () => { byId("search").close(); goToFound(rank); }, excerpt(hit), make("span", {}, book.pages[hit.place].label)))));
  markPages();
}

/** The words around a place that was found, as they stand in the book. */
function excerpt({place, from, to}) {
  const index = indexes[place];
  const part = (from, to) => {
    let [text, last] = ["", Infinity];
    for (const {word, start, end} of index.words) {
      if (end <= from || start >= to) continue;
      if (start > last) text += " ";
      // Of letters that were folded to more or fewer it is not known which is which.
      text += word.length === end - start ? word.slice(Math.max(0, from - start), to - start) : word;
      last = end;
    }
    return text;
  };
  let [start, end] = [Math.max(0, from - 30), Math.min(index.text.length, to + 60)];
  // Whole words, where there are any.
  const [first, last] = [index.text.indexOf(" ", start) + 1, index.text.lastIndexOf(" ", end)];
  if (start > 0 && first > 0 && first <= from) start = first;
  if (end < index.text.length && last >= to) end = last;
  const gap = at => index.text[at] === " " ? " " : "";
  return make("bdi", {}, (start > 0 ? "…" : "") + part(start, from) + gap(from - 1), make("mark", {}, part(from, to)),
    gap(to) + part(to, end) + (end < index.text.length ? "…" : ""));
}

function goToFound(rank) {
  foundPlace = rank;
  goTo(found[rank].place);
  markPages();
  announce(`Place ${rank + 1} of ${found.length}. ${placeText()}`);
}

/** Goes to the next place, or the one before it: first to one on the page that is seen or beyond it. */
function nextFound(isBackwards) {
  if (!found.length) return openSearch();
  const here = found.findIndex(({place}) => place >= anchor);
  const next = foundPlace >= 0 ? foundPlace + (isBackwards ? -1 : 1) : isBackwards ? here - 1 : here;
  if (!found[next]) return say(isBackwards ? "There is nothing before." : "There is nothing more.");
  goToFound(next);
}

function markPages() {
  for (const {pages} of held.values()) pages.forEach(markPage);
  stripPages.forEach(markPage);
}

/** Marks what was found on a page. */
function markPage({place, layer}) {
  if (!layer) return;
  for (const old of layer.querySelectorAll("mark")) old.remove();
  const [, , width, height] = book.pages[place].part;
  const size = {width: layerWidth, height: layerWidth * height / width};
  found.forEach(({place: page, from, to}, rank) => {
    if (page !== place) return;
    for (const word of indexes[place].words) {
      if (word.end <= from || word.start >= to) continue;
      const length = word.end - word.start;
      const box = partOf(boxIn(size, word.edges), word.way, Math.max(0, from - word.start) / length, Math.min(length, to - word.start) / length);
      layer.append(placeBox(make("mark", {class: rank === foundPlace ? "here" : null, "aria-hidden": "true"}), box));
    }
  });
}

/** The part of a word's box between two shares of its length. */
function partOf({left, top, right, bottom}, way, from, to) {
  const [width, height] = [right - left, bottom - top];
  return [
    {left: left + from * width, top, right: left + to * width, bottom},
    {left, top: top + from * height, right, bottom: top + to * height},
    {left: right - to * width, top, right: right - from * width, bottom},
    {left, top: bottom - to * height, right, bottom: bottom - from * height},
  ][way];
}

function endSearch() {
  byId("words").value = "";
  search();
}

function openSearch() {
  openDialog("search");
  byId("words").select();
  byId("hits").querySelector(`[data-hit="${foundPlace}"]`)?.scrollIntoView({block: "center"});
}

byId("words").addEventListener("input", () => {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(search, 200);
});
byId("words").addEventListener("keydown", event => {
  if (event.key !== "Enter") return;
  clearTimeout(searchTimer);
  search().then(() => byId("hits").querySelector("button")?.focus());
});
overlay = {add: addText, remove: removeText, drag: dragText, follow: followLink, search: openSearch};
actions.found = nextFound;
actionOf.n = "found";
document.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !found.length || isZoomed() || cutting || loupePoint || document.querySelector("dialog[open]")) return;
  // Marks are the first to go.
  endSearch();
  event.stopPropagation();
}, {capture: true});
