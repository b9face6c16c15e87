// What buttons and keys do.

const actions = {
  next: () => readOn(1),
  previous: () => readOn(-1),
  first: () => goTo(0),
  last: () => goTo(book.pages.length - 1),
  shelf: () => { if (shelf) location.hash = ""; },
  bookmark: toggleBookmark,
  clip: beginCut,
  contents: () => openDialog("contents", showContents),
  pages: () => openDialog("pages", showThumbnails),
  marks: () => openDialog("marks", showMarks),
  view: () => openDialog("view", showSettings),
  help: () => hasKeys ? openDialog("help") : openGestures(),
  end: () => { if (shelf) openDialog("end", showEnd); },
  print: () => openDialog("printing", () => { byId("range").value = seen().map(page => page + 1).join(", "); }),
  go: goToTyped,
  search: () => overlay && book.texts.length ? overlay.search() : say(tr("This book has no text to search.")),
  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else new Promise(done => done(root.requestFullscreen())).catch(() => say(tr("This browser has no fullscreen here.")));
  },
  bar: () => showBar(!isBarShown()),
  spread: () => choose("layout", layout === "spread" ? "single" : "spread"),
  webtoon: () => choose("layout", layout === "webtoon" ? "auto" : "webtoon"),
  direction: () => choose("direction", isRightToLeft() ? "ltr" : "rtl"),
  fit() {
    choose("fit", fits[(fits.indexOf(settings.fit) + 1) % fits.length]);
    say([tr("Fit: page"), tr("Fit: width"), tr("Fit: height"), tr("Fit: original")][fits.indexOf(settings.fit)]);
  },
  shift() {
    const shifts = new Set(settings.shifts);
    if (!shifts.delete(anchor)) shifts.add(anchor);
    choose("shifts", shifts);
    announce(placeText());
  },
  loupe: () => showLoupe(innerWidth / 2, innerHeight / 2),
  zoomIn: () => isStrip() ? zoomStrip(stripZoom * 1.25) : zoomTo(zoom.z * 1.25),
  zoomOut: () => isStrip() ? zoomStrip(stripZoom / 1.25) : zoomTo(zoom.z / 1.25),
  zoomFit: () => isStrip() ? zoomStrip(1) : resetZoom(),
  zoomPixels: () => { if (!isStrip() && shown()) zoomTo(1 / (pixelScale(shown()) * devicePixelRatio)); },
  saveMarks: () => withFiles(() => saveMarks()),
  saveClips: () => withFiles(() => saveClips()),
  printPages: () => load("print.js").then(() => printPages(), () => say(tr("{0} cannot be loaded.", "print.js"))),
  printClips: () => load("print.js").then(() => printClips(), () => say(tr("{0} cannot be loaded.", "print.js"))),
  offline: () => load("offline.js").then(() => keepOffline()).catch(() => say(tr("The book could not be kept."))),
};

/** Does what needs files.js. */
const withFiles = action => load("files.js").then(action, () => say(tr("{0} cannot be loaded.", "files.js")));

/** What keys do; those that depend on more stand in `pressed`. The list that people see is in the document. */
const actionOf = {
  " ": "next", PageDown: "next", ArrowDown: "next", PageUp: "previous", ArrowUp: "previous", Home: "first", End: "last",
  g: "contents", t: "pages", k: "marks", b: "bookmark", c: "clip", l: "loupe", "+": "zoomIn", "=": "zoomIn",
  "-": "zoomOut", 0: "zoomFit", 1: "zoomPixels", d: "spread", w: "webtoon", r: "direction", z: "fit", o: "shift", m: "bar",
  p: "print", f: "full", h: "help", "?": "help", v: "view", s: "search", "/": "search",
};

document.addEventListener("click", event => {
  const button = event.target.closest("[data-do]");
  if (button) actions[button.dataset.do]();
});

const isMoving = /^(?: |[+=-]|Arrow.*|Page.*|n)$/i;
const sides = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || !book) return;
  const {key, target} = event;
  // The slider has the arrows, and nothing that is typed.
  const isSlider = target.type === "range";
  if (isSlider ? /^(?:Arrow|Page|Home|End|Tab)/.test(key) : target.matches("input, select, textarea")) return;
  if (document.querySelector("dialog[open]")) return;
  if (key === "Tab" && !isBarShown()) return showBar(true);
  if (target.matches("button") && (key === " " || key === "Enter")) return;
  // A key that is held moves on and on, and changes a setting or a mark once.
  if (event.repeat && !isMoving.test(key)) return;
  if (pressed(key, event.shiftKey)) event.preventDefault();
});

/** Does what a key asks; false for one that asks nothing. */
function pressed(key, withShift) {
  const side = sides[key];
  if (cutting) {
    if (side) moveCut(...side, withShift);
    else if (key === "Enter") keepCut();
    else if (key === "Escape" || key === "c") endCut();
    else return false;
    return true;
  }
  if (loupePoint) {
    if (side) moveLoupe(loupePoint.x + 20 * side[0], loupePoint.y + 20 * side[1]);
    else if (key === "Escape" || key === "l") hideLoupe();
    else return false;
    return true;
  }
  if (side && isZoomed()) return pan(-60 * side[0], -60 * side[1]), true;
  if (side && side[0]) return turn(side[0] * (isRightToLeft() ? -1 : 1)), true;
  if (key === "Escape") {
    if (isZoomed()) resetZoom();
    else if (shelf) actions.shelf();
    return true;
  }
  if (key === " " && withShift) return actions.previous(), true;
  const action = actionOf[key.length === 1 ? key.toLowerCase() : key];
  if (!action) return false;
  if (isZoomed() && (action === "next" || action === "previous")) turn(action === "next" ? 1 : -1);
  else actions[action](withShift);
  return true;
}
