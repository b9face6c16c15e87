// Keeping a book for reading without a network, where it came from a server and somebody asks for it.
"use strict";

/** Keeps the whole book for reading without a network; asked for, with its size told first. */
async function keepOffline() {
  const pages = book.pages.flatMap(({address, thumbnail}) => thumbnail ? [address, thumbnail] : [address]);
  const first = await fetch(pages[0]);
  const megabytes = Math.ceil(Number(first.headers.get("content-length")) * book.pages.length / 1e6);
  if (!confirm(`Keep ${book.pages.length} pages, about ${megabytes} MB, on this device?`)) return;
  await navigator.serviceWorker.register(scriptAddress("sw.js"));
  const cache = await caches.open("jisui");
  const own = ["./", "index.html", "reader.js", "reader.css", "icon.svg", `${base}book.js`, ...(shelf ? ["library.js", "shelf.js"] : []),
    ...(textScript ? ["text.js", ...book.texts.map(textFile)] : [])];
  const all = [...own, ...pages];
  for (let done = 0; done < all.length; done += 8) {
    await cache.addAll(all.slice(done, done + 8));
    say(`${Math.min(all.length, done + 8)} of ${all.length} files are kept.`);
  }
}
