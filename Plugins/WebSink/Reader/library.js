// The shelf: all books of a folder, with their covers, and what follows a book. A folder that holds one book does without it.
"use strict";

const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: "base"});

function showShelf() {
  const left = book?.id;
  closeBook();
  byId("reader").hidden = true;
  byId("shelf").hidden = false;
  const title = shelf.title || tr("Books");
  document.title = title;
  byId("shelf-title").textContent = title;
  for (const entry of shelf.books) entry.memory = memoryOf(entry.id);
  arrangeShelf();
  const link = left && focusLink(`#b=${left}`);
  if (!link) return;
  // To where it was when it was left. Meanwhile the browser has scrolled to the top, where the address leads.
  requestAnimationFrame(() => scrollBy(0, link.getBoundingClientRect().top - shelfTop));
}

function focusLink(address) {
  const link = byId("books").querySelector(`a[href="${address}"]`);
  link?.focus({preventScroll: true});
  return link;
}

const byTitle = (a, b) => collator.compare(a.title, b.title);
const bySeries = (a, b) => collator.compare(a.series, b.series) || collator.compare(a.number, b.number) || byTitle(a, b);

function arrangeShelf() {
  const wanted = folded(byId("shelf-search").value);
  const found = shelf.books.filter(entry => entry.words.includes(wanted));
  const progress = ({memory, count}) => memory.read ? (memory.page + 1) / count : 0;
  const orders = {
    title: () => 0, read: (a, b) => b.memory.read - a.memory.read, progress: (a, b) => progress(b) - progress(a),
    added: (a, b) => b.added - a.added,
  };
  const order = orders[byId("shelf-sort").value];
  const groups = order ? [["", found.sort((a, b) => order(a, b) || byTitle(a, b))]] : groupsOf(found);
  // Another tab that is read in has the shelf arranged anew.
  const focused = document.activeElement?.closest("#books a[href^='#b=']")?.getAttribute("href");
  byId("books").replaceChildren(...groups.flatMap(([name, books]) => [
    ...(name ? [make("h2", {}, isolated(name))] : []), make("ul", {}, ...books.map(bookItem))]));
  if (focused) focusLink(focused);
  byId("no-books").hidden = found.length > 0;
}

/** The series of several books with their names, and after them the other books. */
function groupsOf(books) {
  const series = Map.groupBy(books, entry => entry.series && folded(entry.series));
  const [several, others] = [[], []];
  for (const [name, group] of series) {
    if (name && group.length > 1) several.push([group[0].series, group.sort(bySeries)]);
    else others.push(...group);
  }
  several.sort(([a], [b]) => collator.compare(a, b));
  // A book alone stands where its series would.
  others.sort((a, b) => collator.compare(a.series || a.title, b.series || b.title) || bySeries(a, b));
  return others.length ? [...several, [several.length ? tr("Other books") : "", others]] : several;
}

/** "Series 3", unless the title says so itself. */
function seriesText({series, number, title}) {
  const text = `${series} ${number}`.trim();
  return folded(text) === folded(title) ? "" : text;
}

function coverOf(entry) {
  const picture = make("span", {class: "cover"});
  picture.append(entry.cover
    ? make("img", {src: `books/${entry.slug}/cover.jpg`, alt: "", loading: "lazy", decoding: "async"})
    : isolated(entry.title));
  return picture;
}

function bookItem(entry) {
  const {memory, count} = entry;
  const picture = coverOf(entry);
  if (memory.read) picture.append(make("progress", {max: count, value: memory.page + 1, "aria-label": tr("Read")}));
  if (memory.bookmarks.length) picture.append(make("span", {class: "ribbon", title: tr("Has bookmarks")}));
  const place = memory.read && count > 1 ? tr("{0} of {1}", memory.page + 1, count) : counted(count, "1 page", "{0} pages");
  const link = make("a", {href: `#b=${entry.id}`}, picture, make("b", {}, isolated(entry.title)),
    make("small", {}, isolated(seriesText(entry))), make("small", {}, isolated(entry.authors.join(", "))), make("small", {}, place));
  const files = downloadLinks(entry.files, `books/${entry.slug}/`, entry.title);
  return make("li", {}, link, ...(files.length ? [make("p", {class: "files"}, ...files)] : []));
}

/** What a list of books says, checked. */
function readShelf(data) {
  const text = value => typeof value === "string" ? clean(value) : "";
  const books = data.books.filter(({id, slug}) => /^[0-9a-f]{8,64}$/.test(id) && /^[a-z0-9-]+$/.test(slug));
  shelf = {
    title: text(data.title),
    books: books.map((entry, rank) => {
      const title = text(entry.title) || tr("Untitled");
      const authors = (entry.authors ?? []).map(text);
      const [series, number] = [text(entry.series), text(entry.number)];
      return {
        id: entry.id, slug: entry.slug, title, authors, series, number, cover: entry.cover === true,
        count: Number(entry.pages) || 1, added: rank, files: entry.files,
        words: folded([title, series, number, ...authors].join(" ")),
      };
    }),
  };
}

byId("shelf-search").addEventListener("input", arrangeShelf);
byId("shelf-sort").addEventListener("change", arrangeShelf);

// MARK: The end of a book

/** The book of the same series with the next number; none for a book without a number. */
function nextVolume({id, series, number}) {
  if (!series || !number) return null;
  const later = shelf.books.filter(entry => entry.id !== id && entry.number && folded(entry.series) === folded(series)
    && collator.compare(entry.number, number) > 0);
  return later.sort(bySeries)[0] ?? null;
}

function showEnd() {
  const next = nextVolume(shelf.books.find(({id}) => id === book.id));
  const way = next
    ? make("a", {href: `#b=${next.id}`, class: "next", autofocus: true}, coverOf(next),
      make("span", {}, make("small", {}, tr("Next volume")), make("b", {}, isolated(next.title)), make("small", {}, isolated(seriesText(next)))))
    : make("p", {class: "note"}, isolated(book.title));
  byId("after").replaceChildren(way, button({class: "plain", autofocus: !next}, actions.shelf, tr("Back to the shelf")));
}
