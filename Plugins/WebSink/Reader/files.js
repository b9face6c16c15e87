// Files of marks: places, settings, bookmarks and clips, saved for another browser and merged there.
"use strict";

function saveJSON(kind, values) {
  save(`${kind}.json`, "application/json", JSON.stringify({jisui: kind, version: 1, ...values}, null, 2));
}

/** Saves the clips in the form that `jisui --clips` reads: pages counted from 1, rectangles in pixels of pages of these sizes. */
function saveClips() {
  const clips = mark.clips.map(({page, rect: [x, y, ...size], note}) => {
    const [left, top, width, height] = book.pages[page].part;
    return {page: page + 1, size: [width, height], rect: [x - left, y - top, ...size], note};
  });
  saveJSON("clips", {book: book.id, title: book.title, clips});
}

/** The books whose marks one file holds: all of a shelf, or the only one. */
function ownBooks() {
  return shelf ? shelf.books : [{id: book.id, title: book.title, count: book.pages.length}];
}

/** Saves the place, settings, bookmarks and clips of every book that has any. */
function saveMarks() {
  if (book) saveNow();
  const books = ownBooks().filter(({id}) => remembered(keyOf(id))).map(({id, title}) => ({book: id, title, ...memoryOf(id)}));
  if (!books.length) return say(tr("No book has been opened yet."));
  saveJSON("marks", {books});
}

/** Merges the marks of a file into those of the same books. The place and the settings of the later visit stay. */
async function loadMarks(file) {
  let found;
  try {
    found = JSON.parse(await file.text());
  } catch {
    found = null;
  }
  if (found?.jisui !== "marks") return say(tr("This is no file of marks."));
  if (book) saveNow();
  const known = new Map(ownBooks().map(entry => [entry.id, entry]));
  // Earlier versions wrote the marks of one book without a list.
  const given = Array.isArray(found.books) ? found.books : [found];
  const ours = given.filter(item => known.has(item?.book));
  if (!ours.length) return say(tr("These marks are of another book."));
  const counts = {bookmarks: 0, clips: 0};
  for (const item of ours) addMarks(known.get(item.book), item, counts);
  if (!book) showShelf();
  const others = given.length - ours.length;
  const [bookmarks, clips] = [
    counted(counts.bookmarks, "1 bookmark", "{0} bookmarks"), counted(counts.clips, "1 clip", "{0} clips"),
  ];
  say(tr("{0} and {1} were added.", bookmarks, clips)
    + (others ? counted(others, " 1 other book was skipped.", " {0} other books were skipped.") : ""));
}

/** Adds what a file says of one book to what this browser remembers of it. */
function addMarks({id, count}, item, counts) {
  const own = memoryOf(id);
  const given = checkedMemory(item);
  for (const kind of ["bookmarks", "clips"]) {
    const known = new Map(own[kind].map(mark => [placeKey(mark), mark]));
    for (const mark of given[kind].filter(({page}) => page < count)) {
      const same = known.get(placeKey(mark));
      if (!same) {
        own[kind].push(mark);
        known.set(placeKey(mark), mark);
        counts[kind] += 1;
      } else {
        same.note ||= mark.note;
      }
    }
    own[kind].sort((a, b) => a.page - b.page);
  }
  const isOpen = book?.id === id;
  const isLater = given.read > (isOpen ? placedAt : own.read) && given.page < count;
  const kept = isLater
    ? {...own, page: given.page, fraction: given.fraction, read: given.read, settings: {...own.settings, ...given.settings}}
    : {...own, settings: {...given.settings, ...own.settings}};
  remember(keyOf(id), kept);
  if (!isOpen) return;
  takeFromOtherTabs();
  if (!isLater) return;
  readSettings(mark.settings);
  arrange();
  goTo(given.page);
}
