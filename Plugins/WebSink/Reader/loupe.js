// The loupe: what lies under the finger, enlarged, as long as it is held.

const loupe = byId("loupe");
const lens = loupe.firstElementChild;
/** The point of the window that is enlarged; null while there is no loupe. */
let loupePoint = null;
let loupeScale = 1;

/** The pages that are seen, wherever they stand. */
const seenBoxes = () => [...document.querySelectorAll(isStrip() ? "#strip .page.ready" : ".view:not([inert]) .page")];

function showLoupe(x, y) {
  const boxes = seenBoxes().filter(box => {
    const {left, top, right, bottom} = box.getBoundingClientRect();
    return right > -innerWidth && left < 2 * innerWidth && bottom > -innerHeight && top < 2 * innerHeight;
  });
  if (!boxes.length) return;
  const width = boxes[0].getBoundingClientRect().width;
  const [, , pixels] = book.pages[boxes[0].dataset.page - 1].part;
  loupeScale = Math.max(2.5, pixels / width / devicePixelRatio);
  const size = Math.min(280, 0.6 * Math.min(innerWidth, innerHeight));
  loupe.style.width = loupe.style.height = `${size}px`;
  lens.replaceChildren(...boxes.map(box => {
    const copy = box.cloneNode(true);
    const {left, top, width, height} = box.getBoundingClientRect();
    Object.assign(copy.style, {
      left: `${left * loupeScale}px`, top: `${top * loupeScale}px`, width: `${width * loupeScale}px`,
      height: `${height * loupeScale}px`, aspectRatio: "auto",
    });
    return copy;
  }));
  loupe.hidden = false;
  moveLoupe(x, y);
}

function moveLoupe(x, y) {
  loupePoint = {x: clamp(x, 0, innerWidth), y: clamp(y, 0, innerHeight)};
  const size = loupe.offsetWidth;
  const distance = 24;
  // Above the finger, or below it, or beside it, wherever there is room.
  let [left, top] = [x - size / 2, y - distance - size];
  if (top < 0) top = y + distance;
  if (top + size > innerHeight) [left, top] = [x < size + distance ? x + distance : x - distance - size, y - size / 2];
  left = clamp(left, 0, innerWidth - size);
  loupe.style.transform = `translate(${left}px, ${clamp(top, 0, innerHeight - size)}px)`;
  const inner = loupe.clientWidth / 2;
  lens.style.transform =
    `translate(${inner - loupePoint.x * loupeScale}px, ${inner - loupePoint.y * loupeScale}px)`;
}

function hideLoupe() {
  if (!loupePoint) return;
  loupePoint = null;
  loupe.hidden = true;
  lens.replaceChildren();
}
