// Keeping a book for reading without a network, where it came from a server and somebody asks for it.
"use strict";

/** Keeps the whole book for reading without a network, with its size told first; or takes it away again. */
async function keepOffline() {
  const pages = book.pages.flatMap(({address, thumbnail}) => thumbnail ? [address, thumbnail] : [address]);
  const ofBook = [`${base}book.js`, ...(shelf && book.picture ? [`${base}cover.jpg`] : []), ...book.texts.map(number => textFile(number)), ...pages];
  const cache = await caches.open("jisui");
  if (await cache.match(pages.at(-1))) {
    if (!confirm(tr("The book is kept on this device. Remove it?"))) return;
    await Promise.all(ofBook.map(address => cache.delete(address)));
    return say(tr("The book is not kept any more."));
  }
  const first = await fetch(pages[0]);
  const megabytes = Math.ceil(Number(first.headers.get("content-length")) * book.pages.length / 1e6);
  if (!confirm(tr("Keep {0} pages, about {1} MB, on this device?", book.pages.length, megabytes))) return;
  await navigator.serviceWorker.register(scriptAddress("sw.js"));
  const ofReader = ["./", "index.html", "reader.js", "reader.css", "icon.svg", "offline.js", "print.js", "files.js", ...(shelf ? ["library.js", "shelf.js"] : []),
    ...(textScript ? ["text.js"] : []), ...(root.lang === "en" ? [] : [`${root.lang}.js`])];
  const all = [...ofReader, ...ofBook];
  for (let done = 0; done < all.length; done += 8) {
    await cache.addAll(all.slice(done, done + 8));
    say(tr("{0} of {1} files are kept.", Math.min(all.length, done + 8), all.length));
  }
}
