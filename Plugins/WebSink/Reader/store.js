// What is remembered between visits, in the browser alone: by a book's id, so that a folder may be moved.

const common = {theme: "system", pinned: false, gestures: false};
const mark = {page: 0, fraction: 0, read: 0, settings: {}, bookmarks: [], clips: []};
let storageWarned = false;
/** What the browser does not keep, as long as the document is open. */
const unkept = new Map();

function remembered(key) {
  try {
    const value = JSON.parse(unkept.get(key) ?? localStorage.getItem(key));
    return value && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Keeps a value, for this visit at least. */
function remember(key, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    unkept.delete(key);
  } catch {
    unkept.set(key, text);
    if (!storageWarned) say(tr("This browser does not let pages be remembered: places and marks last until it is closed."));
    storageWarned = true;
  }
}

const keyOf = id => `jisui:1:${id}`;

const isWhole = number => Number.isSafeInteger(number) && number >= 0;

/** The bookmarks and clips that an object holds, and nothing else of it. */
function checkedMarks({bookmarks, clips}) {
  const text = value => typeof value === "string" ? value : "";
  const list = value => Array.isArray(value) ? value.filter(item => isWhole(item?.page)) : [];
  const isRect = ({rect}) => Array.isArray(rect) && rect.length === 4 && rect.every(isWhole) && rect[2] > 0 && rect[3] > 0;
  return {
    bookmarks: list(bookmarks).map(({page, note}) => ({page, note: text(note)})),
    clips: list(clips).filter(isRect).map(({page, rect, note}) => ({page, rect, note: text(note)})),
  };
}

/** The place, settings and marks that an object holds, and nothing else of it. */
function checkedMemory(found) {
  return {
    page: isWhole(found.page) ? found.page : 0,
    fraction: found.fraction >= 0 && found.fraction <= 1 ? found.fraction : 0,
    read: isWhole(found.read) ? found.read : 0,
    settings: found.settings && typeof found.settings === "object" ? found.settings : {},
    ...checkedMarks(found),
  };
}

/** What is remembered of a book, whatever stands there. */
const memoryOf = id => checkedMemory(remembered(keyOf(id)) ?? {});

// MARK: Other tabs

/** The marks as this tab last read or wrote them. What differs from these in the store was done in another tab. */
let lastKnown = {bookmarks: [], clips: [], settings: {}};

/** Two marks of one place are the same mark. */
const placeKey = ({page, rect}) => `${page} ${rect ?? ""}`;

/** Merges another tab's changes into a list of this tab's: what it added, removed and noted. A note changed here stays. */
function mergeList(mine, known, theirs) {
  const [before, after] = [known, theirs].map(list => new Map(list.map(item => [placeKey(item), item])));
  const own = new Set(mine.map(placeKey));
  const kept = mine.filter(item => {
    const [old, other] = [before.get(placeKey(item)), after.get(placeKey(item))];
    if (other && (!old || item.note === old.note)) item.note = other.note || item.note;
    return other || !old || item.note !== old.note;
  });
  const added = theirs.filter(item => !own.has(placeKey(item)) && before.get(placeKey(item))?.note !== item.note);
  mine.splice(0, mine.length, ...kept, ...added);
  if (added.length) mine.sort((a, b) => a.page - b.page);
}

/** Whether the open book has a mark's page and, for a clip, this part of its picture. */
function isInBook({page, rect}) {
  const found = book.pages[page];
  return Boolean(found) && (!rect || rect[0] + rect[2] <= found.width && rect[1] + rect[3] <= found.height);
}

/** Reads what other tabs of this book have kept since, so that saving loses none of it. */
function takeFromOtherTabs() {
  if (!remembered(keyOf(book.id))) return;
  const theirs = memoryOf(book.id);
  for (const kind of ["bookmarks", "clips"]) {
    mergeList(mark[kind], lastKnown[kind], theirs[kind].filter(isInBook));
  }
  const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  for (const [name, value] of Object.entries(theirs.settings)) {
    if (isSame(mark.settings[name], lastKnown.settings[name])) mark.settings[name] = value;
  }
  const isNew = !isSame(theirs, lastKnown);
  lastKnown = theirs;
  showPlace();
  // A list is drawn anew only if it differs, and not under the cursor of somebody who writes a note.
  if (isNew && byId("marks").open && !document.activeElement.matches("#marks li input")) showMarks();
}

addEventListener("storage", ({key, newValue}) => {
  if (book && key === keyOf(book.id) && newValue) takeFromOtherTabs();
  else if (!book && shelf && key?.startsWith("jisui:1:")) showShelf();
});

let saveTimer = 0;

/** Keeps the place, in the address as well: without a new entry in the history, and not at every turn, which browsers stop. */
function saveNow() {
  clearTimeout(saveTimer);
  saveTimer = 0;
  if (!book) return;
  const address = `#${shelf ? `b=${book.id}&` : ""}p=${anchor + 1}`;
  try {
    // Unless the reader is on the way to the shelf, or to another book.
    if (location.hash !== address && (!shelf || wanted().id === book.id)) history.replaceState(null, "", address);
  } catch {
    // Some browsers refuse it for files.
  }
  takeFromOtherTabs();
  remember(keyOf(book.id), {...mark, page: anchor, read: Date.now()});
  lastKnown = memoryOf(book.id);
}

function saveSoon() {
  saveTimer = saveTimer || setTimeout(saveNow, 250);
}

addEventListener("pagehide", () => { if (saveTimer) saveNow(); });
document.addEventListener("visibilitychange", () => { if (document.hidden && saveTimer) saveNow(); });

function saveCommon() {
  remember("jisui:1", common);
}

function showTheme() {
  root.dataset.theme = common.theme;
}
