// Sheets of paper: what is printed, by the dialog or by the browser's own command.

const sheets = byId("print");

const laySheets = boxes => sheets.replaceChildren(...boxes.map(box => make("div", {}, box)));

/** A part of a page's picture, or the page, as large as a sheet has room for it. */
function printedPart(page, rect) {
  const {part, address} = book.pages[page];
  const whole = rect === part && page + 1;
  const box = cropped(book.pages[page], rect, {class: "part", "data-page": whole}, {src: address, alt: ""});
  box.style.width = `min(100%, ${95 * rect[2] / rect[3]}vh)`;
  return box;
}

// The browser's own command gives no time to load pictures: those of the pages that are seen are there.
addEventListener("beforeprint", () => {
  if (book && !sheets.children.length) laySheets(seen().map(place => printedPart(place, book.pages[place].part)));
});

addEventListener("afterprint", () => sheets.replaceChildren());
