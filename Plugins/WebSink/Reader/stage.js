// Single pages and spreads: the views that are held side by side, and zooming into the one that is seen.

/** The pixels between views while they are moved. */
const gap = 20;
/** The bytes that held pictures may take decoded, at four a pixel. */
const budget = (navigator.deviceMemory ?? 8) <= 4 ? 96 << 20 : 256 << 20;
/** The views that are held, by their places. */
const held = new Map();
/** 1 when the last turn went forward, -1 when it went back: more is held where the next one is likely to go. */
let bias = 1;
/** Counts the rounds of filling: a later one ends those before it. */
let filling = 0;
/** How far the view that is seen is zoomed in, and where its top left corner lies. */
const zoom = {z: 1, x: 0, y: 0};

/** A box that shows a part of a page's picture, whatever size it is given; the picture itself stays whole. */
function cropped(page, [x, y, width, height], attributes, picture) {
  const image = make("img", {draggable: "false", ...picture});
  const percent = number => `${number * 100}%`;
  Object.assign(image.style, {
    width: percent(page.width / width), height: percent(page.height / height), left: percent(-x / width),
    top: percent(-y / height),
  });
  const box = make("span", attributes, image);
  box.style.aspectRatio = `${width} / ${height}`;
  return box;
}

/** The box of a page, with its thumbnail until its picture is there. */
function makePage(place) {
  const page = book.pages[place];
  const box = cropped(
    page, page.part, {class: "page", "data-page": place + 1}, {alt: tr("Page {0}", page.label), decoding: "sync"});
  const whole = {place, box, image: box.firstElementChild, filled: null};
  showThumbnail(whole);
  return whole;
}

function showThumbnail({place, box}) {
  const {thumbnail} = book.pages[place];
  box.style.backgroundImage = thumbnail ? `url("${thumbnail}")` : "";
}

/** Loads and decodes a page's picture; the box is ready when this ends. */
function fillPage(page) {
  page.filled ??= (async () => {
    const {image, box, place} = page;
    overlay?.add(page);
    image.src = book.pages[place].address;
    try {
      await image.decode();
    } catch {
      // It was let go meanwhile, or is too large to be decoded ahead, or is broken.
      if (!image.hasAttribute("src")) return;
      if (!image.complete) await new Promise(resolve => { image.onload = image.onerror = resolve; });
    }
    if (!image.hasAttribute("src")) return;
    if (image.naturalWidth) {
      box.classList.add("ready");
      box.style.backgroundImage = "";
    } else {
      box.classList.add("broken");
      box.append(make("p", {}, tr("Page {0} cannot be shown.", book.pages[place].label)));
    }
  })();
  return page.filled;
}

function emptyPage(page) {
  if (!page.filled) return;
  page.filled = null;
  page.image.removeAttribute("src");
  page.box.classList.remove("ready", "broken");
  page.box.querySelector("p")?.remove();
  overlay?.remove(page);
  showThumbnail(page);
}

const bytesOf = view => view.pages.reduce((sum, place) => sum + 4 * book.pages[place].width * book.pages[place].height, 0);

/** The places of the views to hold, the most needed first. */
function wantedViews() {
  const near = [0, bias, -bias, 2 * bias].map(step => current + step).filter(place => views[place]);
  let room = budget;
  return near.filter((place, rank) => {
    room -= bytesOf(views[place]);
    return rank < 2 || room >= 0;
  });
}

/** Shows another view at once: it was held, or its thumbnails stand for it meanwhile. */
function showView(place, {atEnd = false, later = 0} = {}) {
  hideLoupe();
  if (place !== current) bias = place > current ? 1 : -1;
  current = place;
  showViews(later);
  resetZoom(atEnd);
}

function showViews(later = 0) {
  const wanted = wantedViews();
  for (const [place, view] of held) if (!wanted.includes(place)) drop(place, view);
  for (const place of wanted) if (!held.has(place)) held.set(place, makeView(place));
  for (const [place, view] of held) {
    const step = (place - current) * (isRightToLeft() ? -1 : 1);
    view.element.style.transform = step ? `translateX(${step * (stage.clientWidth + gap)}px)` : "";
    view.element.inert = step !== 0;
  }
  fill(wanted, later);
}

/** Fills views one after the other, so that the one that is seen comes first. */
async function fill(wanted, later) {
  const round = ++filling;
  if (later) await new Promise(resolve => setTimeout(resolve, later));
  for (const place of wanted) {
    if (round !== filling) return;
    await Promise.all(held.get(place).pages.map(fillPage));
  }
}

function makeView(place) {
  const sheet = make("div", {class: "sheet"});
  const element = make("div", {class: "view"}, sheet);
  const view = {element, sheet, pages: views[place].pages.map(makePage), width: 0, height: 0};
  sheet.append(...view.pages.map(({box}) => box));
  layView(view, views[place].spread);
  place0(view);
  track.append(element);
  return view;
}

function drop(place, view) {
  for (const page of view.pages) emptyPage(page);
  view.element.remove();
  held.delete(place);
}

function dropAll() {
  filling++;
  for (const [place, view] of held) drop(place, view);
}

// MARK: Where pages lie

/** By what a page is multiplied to fit into a width and a height. */
function scaleFor(width, height, roomAcross, roomDown) {
  switch (settings.fit) {
    case "width": return roomAcross / width;
    case "height": return roomDown / height;
    case "original": return 1 / devicePixelRatio;
    default: return Math.min(roomAcross / width, roomDown / height);
  }
}

/** Lays a view's pages: one or a cover in the middle, or two that meet at the middle, as high as each other. */
function layView(view, spread) {
  const [W, H] = [stage.clientWidth, stage.clientHeight];
  const isFacing = spread && spread.wide === undefined && spread.cover === undefined;
  const room = isFacing ? Math.floor(W / 2) : W;
  const sizes = view.pages.map(({place}) => {
    const [, , width, height] = book.pages[place].part;
    return {width, height, scale: scaleFor(width, height, room, H)};
  });
  // The pages of a spread get one height, that of the one that fits worst; unless no page is scaled.
  if (sizes.length > 1 && settings.fit !== "original") {
    const least = Math.min(...sizes.map(({height, scale}) => height * scale));
    for (const size of sizes) size.scale = least / size.height;
  }
  const boxes = sizes.map(({width, height, scale}) => ({
    width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)),
  }));
  const half = Math.max(...boxes.map(({width}) => width));
  view.width = isFacing ? 2 * half : half;
  view.height = Math.max(...boxes.map(({height}) => height));
  boxes.forEach(({width, height}, rank) => {
    const style = view.pages[rank].box.style;
    const x = !isFacing ? 0 : isOnLeft(spread, view.pages[rank].place) ? half - width : half;
    style.width = `${width}px`;
    style.height = `${height}px`;
    style.left = `${x}px`;
    style.top = `${Math.round((view.height - height) / 2)}px`;
  });
  view.sheet.style.width = `${view.width}px`;
  view.sheet.style.height = `${view.height}px`;
}

/** Whether a page lies on the left of an open book. */
const isOnLeft = (spread, place) => (spread.first === place) !== isRightToLeft();

/** Where the corner of a sheet may lie along one axis: in the middle when it is smaller than the room. */
function within(corner, length, room) {
  return length <= room ? Math.floor((room - length) / 2) : clamp(corner, room - length, 0);
}

/** Puts a view that is not zoomed where reading it begins, or ends. */
function place0(view, atEnd = false) {
  const begins = isRightToLeft() !== atEnd ? -Infinity : 0;
  const [x, y] = [
    within(begins, view.width, stage.clientWidth), within(atEnd ? -Infinity : 0, view.height, stage.clientHeight),
  ];
  view.sheet.style.transform = `translate(${x}px, ${y}px)`;
  return {x, y};
}

// MARK: Zoom

const isZoomed = () => !isStrip() && zoom.z > 1.001;
const shown = () => held.get(current);

function resetZoom(atEnd = false) {
  zoom.z = 1;
  const view = shown();
  if (view) Object.assign(zoom, place0(view, atEnd));
  root.classList.remove("zoomed");
}

/** The pixels of the window that a pixel of the picture has when it is not zoomed. */
const pixelScale = view => view.pages[0].box.offsetWidth / book.pages[view.pages[0].place].part[2];

const mostZoom = () => Math.max(5, 2 / (pixelScale(shown()) * devicePixelRatio));

/** Zooms so that a point of the window stays where it is. */
function zoomTo(z, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
  const view = shown();
  if (!view) return;
  z = clamp(z, 1, mostZoom());
  zoom.x = x - (x - zoom.x) * z / zoom.z;
  zoom.y = y - (y - zoom.y) * z / zoom.z;
  zoom.z = z;
  settle();
}

function settle() {
  const view = shown();
  zoom.x = within(zoom.x, view.width * zoom.z, stage.clientWidth);
  zoom.y = within(zoom.y, view.height * zoom.z, stage.clientHeight);
  view.sheet.style.transform = `translate(${zoom.x}px, ${zoom.y}px)` + (isZoomed() ? ` scale(${zoom.z})` : "");
  root.classList.toggle("zoomed", isZoomed());
}

/** Moves what is seen; false when it cannot move. */
function pan(across, down) {
  const before = {...zoom};
  zoom.x += across;
  zoom.y += down;
  settle();
  return zoom.x !== before.x || zoom.y !== before.y;
}

/** Whether a view that is not zoomed has more to show on that side. */
const canPan = across => within(zoom.x + across, shown().width, stage.clientWidth) !== zoom.x;

// The browser scrolls to what gets the focus or was found, although nothing here is to scroll: that place is panned to.
stage.addEventListener("scroll", ({target}) => {
  const {scrollLeft, scrollTop} = target;
  if (!scrollLeft && !scrollTop) return;
  target.scrollTo(0, 0);
  if (target === shown()?.element) pan(-scrollLeft, -scrollTop);
}, {capture: true});

/** Goes on reading by a step: through a view that is larger than the screen first, then to the next. */
function readOn(step) {
  if (isStrip()) return scrollStrip(step);
  if (!isZoomed() && shown()) {
    if (pan(0, -step * 0.9 * stage.clientHeight)) return true;
    const side = step * (isRightToLeft() ? 1 : -1);
    // The next column of a view that is wider than the screen, too.
    if (pan(side * 0.9 * stage.clientWidth, 0)) return pan(0, step * shown().height), true;
  }
  return turn(step, {atEnd: step < 0});
}

// MARK: Moving views by hand

function drag(across) {
  const step = (isRightToLeft() ? 1 : -1) * Math.sign(across);
  // Beyond the first and the last there is nothing: it gives way a little.
  const gives = views[current + step] ? across : across * 0.25;
  track.style.transform = across ? `translateX(${gives}px)` : "";
  return gives;
}

/** Lets the views go: they slide to the next one, or back. */
function letGo(across, turns) {
  let from = drag(across);
  track.style.transform = "";
  const step = (isRightToLeft() ? 1 : -1) * Math.sign(across);
  if (turns && turn(step)) from -= Math.sign(across) * (stage.clientWidth + gap);
  if (stillness.matches || !from) return;
  track.animate([{transform: `translateX(${from}px)`}, {transform: "none"}], {duration: 180, easing: "ease-out"});
}
