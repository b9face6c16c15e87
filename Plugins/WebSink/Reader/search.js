// Searching the text of the whole book, and marking what was found on the pages. A part of text.js.

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
    if (place % pagesPerText === 0) byId("found").textContent = tr("Reading page {0} of {1} …", place + 1, book.pages.length);
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
    byId("found").textContent = tr("The text cannot be loaded.");
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
  byId("found").textContent = !wanted ? "" : !found.length ? tr("Nothing was found.")
    : tr("{0} on {1}", counted(found.length, "1 place", "{0} places"), counted(pages, "1 page", "{0} pages"))
      + (found.length > mostFound ? tr(", of which the first {0} are listed", mostFound) : "");
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
  announce(`${tr("Place {0} of {1}.", rank + 1, found.length)} ${placeText()}`);
}

/** Goes to the next place, or the one before it: first to one on the page that is seen or beyond it. */
function nextFound(isBackwards) {
  if (!found.length) return openSearch();
  const before = found.filter(({place}) => place < anchor).length;
  const next = foundPlace >= 0 ? foundPlace + (isBackwards ? -1 : 1) : isBackwards ? before - 1 : before;
  if (!found[next]) return say(isBackwards ? tr("There is nothing before.") : tr("There is nothing more."));
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
onEnter(byId("words"), () => {
  clearTimeout(searchTimer);
  search().then(() => byId("hits").querySelector("button")?.focus());
});
overlay = {add: addText, remove: removeText, drag: dragText, follow: followLink, search: openSearch, print: printText};
actions.found = nextFound;
actionOf.n = "found";
document.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !found.length || isZoomed() || cutting || loupePoint || document.querySelector("dialog[open]")) return;
  // Marks are the first to go.
  endSearch();
  event.stopPropagation();
}, {capture: true});
