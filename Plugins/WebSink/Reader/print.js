// Printing pages or clips, for which somebody has asked.
"use strict";

/** Prints the pages that were typed. */
function printPages() {
  const places = readRange(byId("range").value);
  if (!places) return say(tr("Pages are numbers from 1 to {0}, like 3, 5-8.", book.pages.length));
  byId("printing").close();
  printBoxes(places.map(place => printedPart(place, book.pages[place].part)));
}

function printClips() {
  if (!mark.clips.length) return say(tr("There are no clips."));
  byId("marks").close();
  printBoxes(mark.clips.map(({page, rect}) => printedPart(page, rect)));
}

/** The places of "3, 5-8, 12", counted from 1; null for what is no such list. */
function readRange(text) {
  const places = [];
  for (const part of text.normalize("NFKC").split(",")) {
    const match = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);
    if (!match) return null;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (first < 1 || last < first || last > book.pages.length) return null;
    for (let page = first; page <= last; page++) places.push(page - 1);
  }
  return places;
}

/** Prints boxes, one a sheet, once their pictures are there. */
async function printBoxes(boxes) {
  laySheets(boxes);
  const pictures = [...sheets.querySelectorAll("img")].map(image => image.decode());
  await Promise.allSettled([...pictures, ...boxes.map(box => overlay?.print(box))]);
  print();
}
