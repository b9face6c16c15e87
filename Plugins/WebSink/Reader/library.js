// The shelf: all books of a folder, with their covers. A folder that holds one book does without this file.
"use strict";

const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: "base"});

function showShelf() {
  const left = book?.id;
  closeBook();
  byId("reader").hidden = true;
  byId("shelf").hidden = false;
  document.title = shelf.title;
  byId("shelf-title").textContent = shelf.title;
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

function arrangeShelf() {
  const wanted = folded(byId("shelf-search").value);
  const found = shelf.books.filter(entry => entry.words.includes(wanted));
  const progress = ({memory, count}) => memory.read ? (memory.page + 1) / count : 0;
  const orders = {
    title: () => 0, read: (a, b) => b.memory.read - a.memory.read, progress: (a, b) => progress(b) - progress(a),
    added: (a, b) => b.added - a.added,
  };
  const order = orders[byId("shelf-sort").value] ?? orders.title;
  found.sort((a, b) => order(a, b) || collator.compare(a.sortTitle, b.sortTitle));
  // Another tab that is read in has the shelf arranged anew.
  const focused = document.activeElement?.closest("#books a[href^='#b=']")?.getAttribute("href");
  byId("books").replaceChildren(...found.map(bookItem));
  if (focused) focusLink(focused);
  byId("no-books").hidden = found.length > 0;
}

function bookItem(entry) {
  const {memory, count} = entry;
  const picture = make("span", {class: "cover"});
  if (entry.cover) picture.append(make("img", {src: `books/${entry.slug}/cover.jpg`, alt: "", loading: "lazy", decoding: "async"}));
  else picture.append(isolated(entry.title));
  if (memory.read) {
    const bar = make("progress", {max: count, value: memory.page + 1, "aria-label": "Read"});
    picture.append(bar);
  }
  if (memory.bookmarks.length) picture.append(make("span", {class: "ribbon", title: "Has bookmarks"}));
  const place = memory.read ? `${memory.page + 1} of ${count}` : `${count} pages`;
  const link = make("a", {href: `#b=${entry.id}`}, picture, make("b", {}, isolated(entry.title)),
    make("small", {}, isolated(entry.authors.join(", "))), make("small", {}, count === 1 ? "1 page" : place));
  return make("li", {}, link, ...downloadLinks(entry.files, `books/${entry.slug}/`, entry.title));
}

/** What a list of books says, checked. */
function readShelf(data) {
  const text = value => typeof value === "string" ? clean(value) : "";
  const books = data.books.filter(({id, slug}) => /^[0-9a-f]{8,64}$/.test(id) && /^[a-z0-9-]+$/.test(slug));
  shelf = {
    title: text(data.title) || "Books",
    books: books.map((entry, rank) => {
      const title = text(entry.title) || "Untitled";
      const authors = (entry.authors ?? []).map(text);
      const [series, number] = [text(entry.series), text(entry.number)];
      return {
        id: entry.id, slug: entry.slug, title, authors, cover: entry.cover === true, count: Number(entry.pages) || 1,
        added: rank, sortTitle: series ? `${series} ${number} ${title}` : title,
        files: entry.files,
        words: folded([title, series, number, ...authors].join(" ")),
      };
    }),
  };
}

byId("shelf-search").addEventListener("input", arrangeShelf);
byId("shelf-sort").addEventListener("change", arrangeShelf);
