// Where books come from, and which is opened.

/** The shelf as library.js reads it; null for a folder that holds one book. */
let shelf = null;
/** Where in the window the open book lay on the shelf, in pixels from the top. */
let shelfTop = 0;
/** The books that have been loaded, by id, with the folder that each lies in. */
const loaded = new Map();
/** What shelf.js lists; null without a shelf. */
let list = null;
/** When text.js is there; null until a book has text or links. */
let textScript = null;

window.jisui = {
  /** Takes a book, from book.js. */
  book(data) {
    const from = document.currentScript.getAttribute("src").replace(/book\.js$/, "");
    loaded.set(data.id, {data, from});
  },
  /** Takes the list of books, from shelf.js. */
  shelf(data) { list = data; },
  /** Takes the texts of a language, from its file. */
  language(texts) { translations = texts; },
  pair,
};

function openBook({data, from}, page) {
  closeBook();
  base = from;
  book = {texts: [], links: [], ...data, title: clean(data.title)};
  book.pages = data.pages.filter(([file]) => isPageFile(file)).map(readPage);
  Object.assign(mark, memoryOf(book.id));
  lastKnown = memoryOf(book.id);
  placedAt = lastKnown.read;
  for (const list of ["bookmarks", "clips"]) mark[list] = mark[list].filter(isInBook);
  readSettings(mark.settings);
  anchor = clamp(page ?? mark.page, 0, book.pages.length - 1);
  if (anchor !== mark.page) mark.fraction = 0;
  const title = book.title;
  document.title = title;
  byId("title").textContent = title;
  byId("title").lang = book.language ?? "";
  if (shelf) shelfTop = byId("books").querySelector(`a[href="#b=${data.id}"]`)?.getBoundingClientRect().top ?? 0;
  byId("shelf").hidden = true;
  byId("reader").hidden = false;
  document.querySelector("[data-do=shelf]").hidden = !shelf;
  byId("thumbs").replaceChildren();
  if (textScript || book.texts.length + book.links.length) {
    textScript ??= load("text.js");
    textScript.then(() => showText(), () => {
      textScript = null;
      say(tr("The text cannot be loaded."));
    });
  }
  arrange();
  showBar(true);
  focusPages();
  announce(`${title}. ${placeText()}`);
  saveSoon();
}

function closeBook() {
  if (!book) return;
  if (saveTimer) saveNow();
  hideLoupe();
  endCut();
  for (const dialog of dialogs) dialog.close();
  showBar(false);
  dropAll();
  clearStrip();
  book = null;
}

/** What an address asks for: a book by its id, and a page counted from 1. */
function wanted() {
  const values = new URLSearchParams(location.hash.slice(1));
  const page = /^\d{1,7}$/.test(values.get("p") ?? "") ? Number(values.get("p")) - 1 : null;
  return {id: values.get("b"), page};
}

async function show() {
  const {id, page} = wanted();
  if (!shelf) {
    const [only] = loaded.values();
    if (only) return book?.id === only.data.id ? goTo(page ?? anchor) : openBook(only, page);
    return say(tr("The book cannot be found: book.js is missing."));
  }
  const entry = shelf.books.find(entry => entry.id === id);
  if (!entry) return showShelf();
  if (book?.id === id) return page === null || goTo(page);
  try {
    if (!loaded.has(id)) await load(`books/${entry.slug}/book.js`);
    // Whoever reads may be elsewhere by now.
    if (wanted().id === id) openBook(loaded.get(id), wanted().page);
  } catch {
    if (wanted().id !== id) return;
    // Its link leads to it again.
    history.replaceState(null, "", "#");
    showShelf();
    say(tr("\"{0}\" cannot be opened.", entry.title));
  }
}

Object.assign(common, remembered("jisui:1"));
showTheme();
addEventListener("hashchange", show);
addEventListener("DOMContentLoaded", async () => {
  // A manifest may not be read from a file system.
  if (isServed) document.head.append(make("link", {rel: "manifest", href: "manifest.webmanifest"}));
  if ("serviceWorker" in navigator && isServed && isSecureContext) {
    navigator.serviceWorker.getRegistration().then(known => known?.update()).catch(() => {});
  }
  await chooseLanguage();
  if (list) readShelf(list);
  show();
});
