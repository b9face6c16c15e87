// What is remembered between visits, in the browser alone: by a book's id, so that a folder may be moved.

const common = {theme: "system", pinned: false};
const mark = {page: 0, fraction: 0, read: 0, settings: {}, bookmarks: [], clips: []};
let storageWarned = false;

function remembered(key) {
  try {
    const value = JSON.parse(localStorage.getItem(key));
    return value && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    if (!storageWarned) say("This browser does not let pages be remembered: places and marks last until it is closed.");
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

/** What is remembered of a book, whatever stands there. */
function memoryOf(id) {
  const found = remembered(keyOf(id)) ?? {};
  return {
    page: isWhole(found.page) ? found.page : 0,
    fraction: found.fraction >= 0 && found.fraction <= 1 ? found.fraction : 0,
    read: isWhole(found.read) ? found.read : 0,
    settings: found.settings ?? {},
    ...checkedMarks(found),
  };
}

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
  remember(keyOf(book.id), {...mark, page: anchor, read: Date.now()});
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
