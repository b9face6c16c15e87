// Which pages face each other: the rules of jisui's own pairing (Plugins/Spreads/Pairing), which a test compares.

/**
 * Pairs pages in reading order. A cover and a wide page stand alone; a page that is left without a partner before a wide
 * one faces nothing, on the side where it would have been.
 *
 * kinds: "plain", "first" (a cover), "wide", or "bound" (faces the next whatever comes before), one a page.
 * shifts: a set of the places, from 0, before which a side stays empty, so that the pairing moves by one.
 * Returns spreads in reading order: {cover}, {wide}, or {first, second}, of which one may be null.
 */
function pair(kinds, coverIsAlone, shifts) {
  const spreads = [];
  let waiting = null;
  const letGo = () => {
    if (waiting !== null) spreads.push({first: waiting, second: null});
    waiting = null;
  };
  for (let page = 0; page < kinds.length; page++) {
    const kind = kinds[page];
    if (kind === "first") letGo();
    if (kind === "first" && coverIsAlone) {
      spreads.push({cover: page});
    } else if (kind === "wide") {
      letGo();
      spreads.push({wide: page});
    } else if (kind === "bound" && page + 1 < kinds.length) {
      letGo();
      spreads.push({first: page, second: page + 1});
      page++;
    } else if (waiting !== null && !shifts.has(page)) {
      spreads.push({first: waiting, second: page});
      waiting = null;
    } else if (waiting === null && shifts.has(page)) {
      spreads.push({first: null, second: page});
    } else {
      letGo();
      waiting = page;
    }
  }
  letGo();
  return spreads;
}

/** The pages of a spread in reading order. */
const pagesOf = ({cover, wide, first, second}) => [cover, wide, first, second].filter(page => Number.isInteger(page));
