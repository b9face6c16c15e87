// Bookmarks, and clips: parts of pages that were cut out.

const cut = byId("cut");
const cutBox = cut.firstElementChild;
/** The clip that is being cut: a page and a rectangle in pixels of its picture; null when none is. */
let cutting = null;

function toggleBookmark() {
  const marked = mark.bookmarks.filter(({page}) => seen().includes(page));
  mark.bookmarks = marked.length
    ? mark.bookmarks.filter(item => !marked.includes(item))
    : [...mark.bookmarks, {page: anchor, note: ""}].sort((a, b) => a.page - b.page);
  say(marked.length ? tr("The bookmark is gone.") : tr("Page {0} is bookmarked.", book.pages[anchor].label));
  showPlace();
  saveNow();
}

// MARK: Cutting

function beginCut() {
  if (cutting) return endCut();
  if (isZoomed()) resetZoom();
  showBar(false);
  const box = seenBoxes().find(box => Number(box.dataset.page) === anchor + 1) ?? seenBoxes()[0];
  if (!box) return;
  const place = box.dataset.page - 1;
  const [x, y, width, height] = book.pages[place].part;
  cutting = {
    page: place, rect: [x + Math.round(width / 4), y + Math.round(height / 4), Math.round(width / 2), Math.round(height / 2)],
  };
  cut.hidden = false;
  showCut();
}

function endCut() {
  cutting = null;
  cut.hidden = true;
}

const boxOf = page => seenBoxes().find(box => Number(box.dataset.page) === page + 1);

/** The pixels of the window that a pixel of a page's picture has, and where the whole picture begins. */
function placeOf(page) {
  const {left, top, width} = boxOf(page).getBoundingClientRect();
  const [x, y, pixels] = book.pages[page].part;
  const scale = width / pixels;
  return {scale, left: left - x * scale, top: top - y * scale};
}

function showCut() {
  const {scale, left, top} = placeOf(cutting.page);
  const [x, y, width, height] = cutting.rect;
  Object.assign(cutBox.style, {
    left: `${left + x * scale}px`, top: `${top + y * scale}px`, width: `${width * scale}px`, height: `${height * scale}px`,
  });
}

/** Sets the rectangle, within the part of the page that is shown. */
function setCut(x, y, width, height) {
  const [partX, partY, partWidth, partHeight] = book.pages[cutting.page].part;
  width = clamp(Math.round(width), 1, partWidth);
  height = clamp(Math.round(height), 1, partHeight);
  cutting.rect = [
    clamp(Math.round(x), partX, partX + partWidth - width), clamp(Math.round(y), partY, partY + partHeight - height),
    width, height,
  ];
  showCut();
}

/** Moves the rectangle by a part of the page, or sizes it. */
function moveCut(across, down, sizes) {
  const [x, y, width, height] = cutting.rect;
  const step = Math.max(1, Math.round(book.pages[cutting.page].part[2] / 100));
  if (sizes) setCut(x, y, width + across * step, height + down * step);
  else setCut(x + across * step, y + down * step, width, height);
}

function keepCut() {
  mark.clips.push({page: cutting.page, rect: cutting.rect, note: ""});
  endCut();
  saveNow();
  say(tr("The clip is kept under Bookmarks and clips."));
}

cut.addEventListener("pointerdown", event => {
  const box = seenBoxes().find(box => {
    const {left, top, right, bottom} = box.getBoundingClientRect();
    return event.clientX >= left && event.clientX < right && event.clientY >= top && event.clientY < bottom;
  });
  if (!cutting || cutting.from || !box || event.button !== 0) return;
  event.preventDefault();
  cut.setPointerCapture(event.pointerId);
  cutting.page = box.dataset.page - 1;
  const {scale, left, top} = placeOf(cutting.page);
  cutting.from = {x: (event.clientX - left) / scale, y: (event.clientY - top) / scale};
});

cut.addEventListener("pointermove", event => {
  const from = cutting?.from;
  if (!from) return;
  const [x, y, width, height] = book.pages[cutting.page].part;
  const {scale, left, top} = placeOf(cutting.page);
  const toX = clamp((event.clientX - left) / scale, x, x + width);
  const toY = clamp((event.clientY - top) / scale, y, y + height);
  cutting.wasDragged = Math.hypot(toX - from.x, toY - from.y) * scale >= tapReach;
  setCut(Math.min(from.x, toX), Math.min(from.y, toY), Math.abs(toX - from.x), Math.abs(toY - from.y));
});

cut.addEventListener("pointerup", event => {
  if (!cutting?.from) return;
  cutting.from = null;
  if (cutting.wasDragged) keepCut();
  // Fingers have no Esc.
  else if (event.pointerType !== "mouse") endCut();
});

cut.addEventListener("pointercancel", endCut);

// MARK: The page of marks

function showMarks() {
  byId("no-marks").hidden = mark.bookmarks.length + mark.clips.length > 0;
  byId("bookmarks").replaceChildren(...mark.bookmarks.map(item => markItem(item, mark.bookmarks, thumbnailOf(item.page))));
  byId("clips").replaceChildren(...mark.clips.map(item => markItem(item, mark.clips, clipPicture(item))));
}

function markItem(item, list, picture) {
  const {label} = book.pages[item.page];
  const note = make("input", {value: item.note, placeholder: tr("Note"), "aria-label": tr("Note on page {0}", label)});
  note.addEventListener("input", () => {
    item.note = note.value;
    saveSoon();
  });
  const open = button({class: "picture", "aria-label": tr("Go to page {0}", label)}, () => leaveFor("marks", item.page), picture);
  const remove = button({class: "plain"}, () => {
    list.splice(list.indexOf(item), 1);
    const place = [...document.querySelectorAll("#marks li")].indexOf(remove.closest("li"));
    saveNow();
    showMarks();
    showPlace();
    const rest = document.querySelectorAll("#marks li .row .plain:first-of-type");
    (rest[Math.min(place, rest.length - 1)] ?? byId("marks").querySelector("[data-close]")).focus();
  }, tr("Remove"));
  const row = make("p", {class: "row"}, make("span", {}, tr("Page {0}", label)), remove);
  if (list === mark.clips && isServed) row.append(button({class: "plain"}, () => saveClip(item), "PNG"));
  return make("li", {}, open, note, row);
}

/** A clip's part of its page, cut by the browser alone, no larger than its pixels. */
function clipPicture({page, rect}) {
  const {address, label} = book.pages[page];
  const [, , width, height] = rect;
  const box = cropped(book.pages[page], rect, {class: "clip"}, {src: address, alt: tr("Clip of page {0}", label), loading: "lazy"});
  box.style.width = `${width * Math.min(280 / width, 200 / height, 1)}px`;
  return box;
}

/** Saves a clip as a picture, which browsers allow only to pages that came from a server. */
async function saveClip({page, rect: [x, y, width, height]}) {
  const {address, label} = book.pages[page];
  const image = make("img", {src: address});
  await image.decode();
  const canvas = make("canvas", {width, height});
  canvas.getContext("2d").drawImage(image, x, y, width, height, 0, 0, width, height);
  canvas.toBlob(blob => save(`page ${label}.png`, "image/png", blob), "image/png");
}
