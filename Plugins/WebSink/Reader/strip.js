// Webtoons and panoramas: all pages in one long strip, which the browser scrolls.

/** The strip's pages: all boxes, of which only those near the screen hold their pictures. */
let stripPages = [];
let stripKind = "";
let stripZoom = 1;
/** The row (or column) that is kept in its place: a page, a fraction of it, and where it lies on the screen, 0 to 1. */
let stripLine = {page: 0, fraction: 0, at: 0};
/** When the strip last moved, and whether that was the reader's own doing. */
let scrolledAt = -Infinity;
let stripTarget = null;

const isSideways = () => layout === "panorama";
const nearScreen = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) {
    const page = stripPages[target.dataset.page - 1];
    if (!page) continue;
    if (isIntersecting) fillPage(page); else emptyPage(page);
  }
}, {root: strip, rootMargin: "200%"});

function layStrip() {
  if (stripKind !== layout) {
    clearStrip();
    stripKind = layout;
    stripPages = book.pages.map(({place}) => makePage(place));
    strip.append(...stripPages.map(({box}) => box));
    for (const {box} of stripPages) nearScreen.observe(box);
    stripLine = {page: anchor, fraction: mark.fraction, at: mark.fraction ? 0.5 : 0};
  }
  keepLine();
}

function clearStrip() {
  nearScreen.disconnect();
  for (const page of stripPages) emptyPage(page);
  strip.replaceChildren();
  stripPages = [];
  stripKind = "";
}

/** Where a box begins along the way of reading, and how long it is, in pixels from the beginning of the screen. */
function spanOf(box) {
  const [own, whole] = [box.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (!isSideways()) return [own.top - whole.top, own.height];
  return [isRightToLeft() ? whole.right - own.right : own.left - whole.left, own.width];
}

const stripLength = () => isSideways() ? strip.clientWidth : strip.clientHeight;

/** Scrolls on along the way of reading. */
function scrollStripBy(distance, behavior = "instant") {
  const way = isSideways() && isRightToLeft() ? -1 : 1;
  strip.scrollBy(isSideways() ? {left: way * distance, behavior} : {top: distance, behavior});
}

const scrolled = () => Math.abs(isSideways() ? strip.scrollLeft : strip.scrollTop);

/** Brings the kept row back to its place. */
function keepLine() {
  const page = stripPages[stripLine.page];
  if (!page) return;
  const [start, length] = spanOf(page.box);
  scrollStripBy(start + stripLine.fraction * length - stripLine.at * stripLength());
  stripTarget = scrolled();
}

function scrollToPage(page) {
  stripLine = {page, fraction: 0, at: 0};
  keepLine();
}

const isAtStripEnd = () => scrolled() > (isSideways() ? strip.scrollWidth : strip.scrollHeight) - stripLength() - 1;

/** Scrolls by nine tenths of the screen; false at the end. */
function scrollStrip(step) {
  if (step < 0 ? scrolled() < 1 : isAtStripEnd()) {
    reachedEnd(step);
    return false;
  }
  scrollStripBy(step * 0.9 * stripLength(), stillness.matches ? "instant" : "smooth");
  return true;
}

function zoomStrip(z) {
  // Pages never become larger than the screen: a webtoon's begin at 52 times the size of letters.
  const widest = isSideways() ? 1 : strip.clientWidth / (52 * parseFloat(getComputedStyle(root).fontSize));
  stripZoom = clamp(z, 0.4, Math.max(1, widest));
  strip.style.setProperty("--strip-zoom", stripZoom);
  keepLine();
}

strip.addEventListener("scroll", () => {
  if (!book || !stripKind) return;
  if (stripTarget !== null && Math.abs(scrolled() - stripTarget) < 2) return;
  stripTarget = null;
  hideLoupe();
  scrolledAt = performance.now();
  const middle = stripLength() / 2;
  let [low, high] = [0, stripPages.length - 1];
  while (low < high) {
    const place = (low + high + 1) >> 1;
    if (spanOf(stripPages[place].box)[0] <= middle) low = place; else high = place - 1;
  }
  const [start, length] = spanOf(stripPages[low].box);
  stripLine = {page: low, fraction: clamp((middle - start) / length, 0, 1), at: 0.5};
  mark.fraction = stripLine.fraction;
  const isNew = anchor !== low;
  anchor = low;
  if (isNew) placeChanged(); else saveSoon();
}, {passive: true});
