// The open book: its pages, its settings, and what is seen at once.

/** The open book; null on the shelf. */
let book = null;
/** Where its folder lies, with a slash at the end; empty for a folder that holds one book. */
let base = "";
/** The place of the page last gone to, from 0. Turning the screen never changes it. */
let anchor = 0;
/** When that was: opening the book again does not count. */
let placedAt = 0;
/** What is seen at once, in reading order: {pages, spread}. */
let views = [];
/** The place of the view that is seen. */
let current = 0;
/** "single", "spread", "webtoon" or "panorama": what `settings.layout` comes to on this screen. */
let layout = "single";

const layouts = ["auto", "single", "spread", "webtoon", "panorama"];
const fits = ["page", "width", "height", "original"];
const settings = {layout: "auto", fit: "page", direction: "ltr", cover: true, shifts: new Set()};

const isRightToLeft = () => settings.direction === "rtl";
const isStrip = () => layout === "webtoon" || layout === "panorama";

/** A page as its tuple in book.json has it. */
function readPage([file, width, height, kind, label, part], place) {
  return {
    place, file, width, height, kind: String(kind), label: label ? clean(label) : String(place + 1),
    // The part that is shown, in pixels of the picture.
    part: Array.isArray(part) && part.length === 4 ? part : [0, 0, width, height],
    address: `${base}pages/${file}`,
    thumbnail: book.thumbnails && !book.withoutThumbnail.includes(place)
      ? `${base}thumbs/${file.replace(/\.[a-z0-9]+$/, ".jpg")}` : null,
  };
}

/** Whether a name is one that jisui gives, so that no address leads out of the book's folder. */
const isPageFile = file => /^\d{4,}\.[a-z0-9]{3,4}$/.test(file);

/** The book's settings: its own, then what was chosen for it. */
function readSettings(chosen) {
  settings.layout = layouts.includes(chosen.layout) ? chosen.layout : "auto";
  settings.fit = fits.includes(chosen.fit) ? chosen.fit : "page";
  settings.direction = ["ltr", "rtl"].includes(chosen.direction) ? chosen.direction : book.direction ?? "ltr";
  settings.cover = typeof chosen.cover === "boolean" ? chosen.cover : book.cover !== "paired";
  settings.shifts = new Set((Array.isArray(chosen.shifts) ? chosen.shifts : book.shifts).filter(Number.isInteger));
}

/** Changes a setting of the book, and remembers that. */
function choose(name, value) {
  settings[name] = value;
  mark.settings[name] = value instanceof Set ? [...value].sort((a, b) => a - b) : value;
  saveSoon();
  arrange();
}

/** The size of the screen for which it was worked out what is seen. */
let arrangedFor = "";
const screenSize = () => `${byId("reader").clientWidth} × ${byId("reader").clientHeight}`;

/** Works out anew what is seen, after a change of settings or of the screen's shape. */
function arrange() {
  if (!book) return;
  arrangedFor = screenSize();
  const isLandscape = innerWidth > innerHeight;
  layout = settings.layout === "auto" ? (isLandscape ? "spread" : "single") : settings.layout;
  views = layout === "spread"
    ? pair(book.pages.map(page => page.kind), settings.cover, settings.shifts)
      .map(spread => ({spread, pages: pagesOf(spread)}))
    : book.pages.map(({place}) => ({spread: null, pages: [place]}));
  current = Math.max(0, viewOf(anchor));
  root.dataset.layout = layout;
  byId("reader").dir = settings.direction;
  stage.hidden = isStrip();
  strip.hidden = !isStrip();
  if (isStrip()) {
    dropAll();
    layStrip();
  } else {
    clearStrip();
    dropAll();
    showViews();
    resetZoom();
  }
  showPlace();
}

/** The place of the view that a page is in. Views follow the order of pages. */
function viewOf(page) {
  let [low, high] = [0, views.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (views[middle].pages[0] <= page) low = middle; else high = middle - 1;
  }
  return low;
}

/** The pages that are seen. */
const seen = () => isStrip() ? [anchor] : views[current]?.pages ?? [];

/** "Page 5 of 200", "Pages 12 and 13 of 200". */
function placeText() {
  const labels = seen().map(page => book.pages[page].label);
  return labels.length > 1 ? tr("Pages {0} and {1} of {2}", ...labels, book.pages.length)
    : tr("Page {0} of {1}", ...labels, book.pages.length);
}

/** Goes to a page. */
function goTo(page, options = {}) {
  if (!book) return;
  endCut();
  anchor = clamp(page, 0, book.pages.length - 1);
  mark.fraction = 0;
  if (isStrip()) scrollToPage(anchor);
  else showView(viewOf(anchor), options);
  placeChanged();
}

/** Turns by a number of views; at either end nothing turns, and that is said. */
function turn(step, options = {}) {
  if (!book) return false;
  if (isStrip()) return scrollStrip(step);
  const next = current + step;
  if (next < 0 || next >= views.length) {
    reachedEnd(step);
    return false;
  }
  anchor = views[next].pages[0];
  showView(next, options);
  placeChanged();
  return true;
}

/** Nothing follows in this book: on a shelf another may. */
function reachedEnd(step) {
  announce(step < 0 ? tr("This is the first page.") : tr("This is the last page."));
  if (step > 0) actions.end();
}

function placeChanged() {
  placedAt = Date.now();
  showPlace();
  announce(placeText());
  saveSoon();
}

/** Brings slider, count, bookmark and address up to date. */
function showPlace() {
  if (!book) return;
  const slider = byId("slider");
  slider.max = book.pages.length;
  slider.value = anchor + 1;
  slider.setAttribute("aria-valuetext", placeText());
  const labels = seen().map(page => book.pages[page].label);
  byId("count").textContent = `${labels.join("–")} / ${book.pages.length}`;
  byId("count").setAttribute("aria-label", tr("{0}. Go to a page", placeText()));
  const isMarked = mark.bookmarks.some(({page}) => seen().includes(page));
  document.querySelector("[data-do=bookmark]").setAttribute("aria-pressed", isMarked);
}
