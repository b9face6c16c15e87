// The text and the links of pages, over their pictures: selecting, searching, following. Books without them do without this file.
"use strict";

/** What a side of a page is long in the files, and how many pages a file holds. */
const textUnit = 100_000;
const pagesPerText = 100;
/** The pixels that a layer of text is wide, whatever its page is: letters are larger than the least size of any browser. */
const layerWidth = 2000;
const textFile = number => `${base}text/${String(number).padStart(3, "0")}.js`;
const pen = make("canvas").getContext("2d");
pen.font = "100px sans-serif";

/** The pages of files of text, by their addresses: what arrived, and what is on its way. */
const arrivedTexts = new Map();
const texts = new Map();
/** The words of layers, with their boxes in pixels of the layer, by the boxes of the pages. */
const wordsOf = new WeakMap();
/** The links of the book's pages, by place. */
let linksOf = new Map();

jisui.text = pages => arrivedTexts.set(document.currentScript.getAttribute("src"), pages);

/** The lines of a page, once their file is there: [direction, quarter turns, [[word, left, top, right, bottom], …]] each. */
async function linesOf(place) {
  const number = Math.floor(place / pagesPerText);
  if (!book.texts.includes(number)) return [];
  const address = textFile(number);
  if (!texts.has(address)) texts.set(address, load(address).then(() => arrivedTexts.get(address) ?? []));
  try {
    return (await texts.get(address))[place % pagesPerText] ?? [];
  } catch (error) {
    // It is asked for again with the next page.
    texts.delete(address);
    throw error;
  }
}

/** Begins with a book that has text or links: those of its pages that are there already get theirs. */
function showText() {
  // Whoever reads may be back at the shelf before this file is there.
  if (!book) return;
  for (const id of ["search-button", "touch-text"]) byId(id).hidden = !book.texts.length;
  linksOf = Map.groupBy(book.links, ([place]) => place);
  indexes = null;
  endSearch();
  for (const {pages} of held.values()) for (const page of pages) if (page.filled) addText(page);
  for (const page of stripPages) if (page.filled) addText(page);
}

// MARK: Layers

/** Whether a line that is not turned runs to the right, down, or to the left; each quarter turn is one more. */
const ways = {ltr: 0, vertical: 1, rtl: 2};

const scaleLayers = new ResizeObserver(entries => {
  for (const {target} of entries) {
    const layer = target.querySelector(".text");
    if (layer) layer.style.scale = target.offsetWidth / layerWidth;
    else scaleLayers.unobserve(target);
  }
});

/** The pixels that a page's layer has, whatever size the page is shown in. */
function layerSize(place) {
  const [, , width, height] = book.pages[place].part;
  return {width: layerWidth, height: layerWidth * height / width};
}

async function addText(page) {
  const opened = book;
  const lines = await linesOf(page.place).catch(() => say(tr("A part of the text cannot be loaded.")) ?? []);
  // A page of many words takes some milliseconds, by which no turn is to be late.
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  // It was let go meanwhile, or another book was opened.
  if (opened !== book || !page.filled || page.layer) return;
  const links = linksOf.get(page.place) ?? [];
  if (!lines.length && !links.length) return;
  const size = layerSize(page.place);
  page.layer = make("span", {class: "text", lang: book.language});
  Object.assign(page.layer.style, {width: `${size.width}px`, height: `${size.height}px`, scale: page.box.offsetWidth / layerWidth});
  const words = [];
  page.layer.append(...lines.map(line => lineElement(line, size, words)), ...links.map(link => linkElement(link, size)));
  placeWords(words);
  wordsOf.set(page.box, words);
  page.box.append(page.layer);
  scaleLayers.observe(page.box);
  markPage(page);
}

/** Puts the words of a printed page, and its links to the web, under its picture. */
async function printText(box) {
  if (!box.dataset.page) return;
  const place = box.dataset.page - 1;
  const size = layerSize(place);
  const links = (linksOf.get(place) ?? []).filter(([, target]) => typeof target === "string");
  const layer = make("span", {class: "text", lang: book.language});
  const words = [];
  layer.append(...(await linesOf(place)).map(line => lineElement(line, size, words)), ...links.map(link => linkElement(link, size)));
  placeWords(words);
  // Sheets are laid out only when they are printed: this is scaled then.
  const [svg, holder] = ["svg", "foreignObject"].map(name => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  for (const side of ["width", "height"]) holder.setAttribute(side, size[side]);
  holder.append(layer);
  svg.append(holder);
  box.prepend(svg);
}

function removeText(page) {
  page.layer?.remove();
  page.layer = null;
}

/** A box of a file in pixels of the layer. */
const boxIn = ({width, height}, [left, top, right, bottom]) => ({
  left: left / textUnit * width, top: top / textUnit * height, right: right / textUnit * width, bottom: bottom / textUnit * height,
});

function lineElement([direction, turns, line], size, words) {
  const element = make("span", {class: "line", dir: direction === "rtl" ? "rtl" : "ltr"});
  for (const [text, ...edges] of line) {
    const isVertical = direction === "vertical";
    const word = make("span", {class: isVertical ? "down" : null}, text);
    words.push({element: word, box: boxIn(size, edges), isVertical, turns, way: (ways[direction] + turns) % 4});
    element.append(word, " ");
  }
  return element;
}

/** Puts words' letters where they are in the picture: as high as the words' boxes, and stretched along the lines to fill them. */
function placeWords(words) {
  const places = words.map(({element, box: {left, top, right, bottom}, isVertical, turns}) => {
    const [width, height] = turns % 2 ? [bottom - top, right - left] : [right - left, bottom - top];
    const [length, size] = isVertical ? [height, width] : [width, height];
    element.style.fontSize = `${size}px`;
    return {length, size, corner: [[left, top], [right, top], [right, bottom], [left, bottom]][turns]};
  });
  const down = lengthsDown(words.filter(({isVertical}) => isVertical).map(({element}) => element));
  for (const [index, {element, isVertical, turns}] of words.entries()) {
    const {length, size, corner} = places[index];
    const stretch = length / Math.max(1, down.get(element) ?? pen.measureText(element.textContent).width * size / 100);
    element.style.transform = `translate(${corner[0]}px, ${corner[1]}px) rotate(${90 * turns}deg) `
      + (isVertical ? `scaleY(${stretch})` : `scaleX(${stretch})`);
  }
}

/** How long words are that are written down, before they are stretched: canvas measures only what is written across. */
function lengthsDown(words) {
  if (!words.length) return new Map();
  const copies = words.map(word => word.cloneNode(true));
  const ruler = make("span", {class: "text ruler", lang: book.language}, make("span", {class: "line"}, ...copies));
  document.body.append(ruler);
  const lengths = new Map(words.map((word, index) => [word, copies[index].getBoundingClientRect().height]));
  ruler.remove();
  return lengths;
}

function placeBox(element, {left, top, right, bottom}) {
  Object.assign(element.style, {left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px`});
  return element;
}

// MARK: Links

/** A link over a page: to another page, or to an address that only shows something, writes a message or calls somebody. */
function linkElement([, target, ...edges], size) {
  const isInside = Number.isInteger(target);
  const isSafe = isInside ? Boolean(book.pages[target]) : /^(?:https?|mailto|tel):/.test(target);
  const aim = isInside
    ? {href: `#${shelf ? `b=${book.id}&` : ""}p=${target + 1}`, "aria-label": tr("To page {0}", book.pages[target]?.label)}
    : {href: isSafe ? target : null, "aria-label": target, title: target, target: "_blank", rel: "noopener noreferrer"};
  // A mouse that turns pages would drag the address instead.
  return placeBox(make("a", {draggable: "false", ...aim}), boxIn(size, edges));
}

/** Follows the link at a point of the window, when there is one, in another tab or window if its keys ask for that. */
function followLink(x, y, {ctrlKey, metaKey, shiftKey}) {
  const link = document.elementFromPoint(x, y)?.closest(".text a");
  link?.dispatchEvent(new MouseEvent("click", {ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true}));
  return Boolean(link);
}

document.addEventListener("click", event => {
  const link = event.target.closest(".text a");
  if (!link) return;
  // Of what a finger or a mouse does only a tap follows a link, and that is told by `tap`.
  if (event.isTrusted && event.detail > 0) event.preventDefault();
  // The address is to lead back here.
  else saveNow();
});

// MARK: Selecting

let selectsByTouch = false;
/** Where a selection began: a text and a place in it. */
let selectedFrom = null;

byId("touch-text").addEventListener("change", ({target}) => { selectsByTouch = target.checked; });

for (const area of [stage, strip]) {
  area.addEventListener("pointerdown", event => {
    const isMouse = event.pointerType === "mouse";
    root.classList.toggle("selects", isMouse || selectsByTouch);
    // Fingers select as the browser has it, with its handles.
    if (selectsByTouch && !isMouse && event.target.closest(".line")) return event.stopPropagation();
    const selection = getSelection();
    if (event.button !== 0 || selection.isCollapsed) return;
    const isSeen = !selection.anchorNode.parentElement.closest("[inert]");
    selection.removeAllRanges();
    // What was selected is let go, and no more.
    if (isSeen) event.stopPropagation();
  }, {capture: true});
  // The browser's own way to select leaps to the ends of the page between lines.
  area.addEventListener("mousedown", event => {
    if (selectsByTouch || !isOnText(event.clientX, event.clientY)) return;
    event.preventDefault();
    focusPages();
  });
}

/** Selects by a drag that began on text; false for any other. */
function dragText({pointerType, clientX, clientY}) {
  if (press.is === "tap") {
    if (pointerType !== "mouse" || !isOnText(press.x, press.y)) return false;
    selectedFrom = caretAt(press.x, press.y);
  }
  const to = caretAt(clientX, clientY);
  if (selectedFrom && to) getSelection().setBaseAndExtent(...selectedFrom, ...to);
  return true;
}

/** The word of the pages that are seen that is nearest to a point of the window, how far it is, and how high its line. */
function wordNear(x, y) {
  let nearest = {distance: Infinity};
  for (const box of seenBoxes()) {
    const {left, top, width} = box.getBoundingClientRect();
    const scale = width / layerWidth;
    for (const word of wordsOf.get(box) ?? []) {
      const across = Math.max(word.box.left * scale + left - x, 0, x - left - word.box.right * scale);
      const down = Math.max(word.box.top * scale + top - y, 0, y - top - word.box.bottom * scale);
      const distance = Math.hypot(across, down);
      const size = scale * Math.min(word.box.right - word.box.left, word.box.bottom - word.box.top);
      if (distance < nearest.distance) nearest = {...word, distance, size};
    }
  }
  return nearest;
}

/** Whether a point is on a word or as near to one as those beside it are. */
function isOnText(x, y) {
  const {distance, size} = wordNear(x, y);
  return distance <= size / 2;
}

/** The place between two letters that is nearest to a point of the window, as a text and a place in it. */
function caretAt(x, y) {
  const {element, way} = wordNear(x, y);
  if (!element) return null;
  const text = element.firstChild;
  const range = document.createRange();
  let offset = 0;
  for (const sign of text.data) {
    range.setStart(text, offset);
    range.setEnd(text, offset + sign.length);
    const {left, top, right, bottom} = range.getBoundingClientRect();
    const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
    if ([x < middleX, y < middleY, x > middleX, y > middleY][way]) break;
    offset += sign.length;
  }
  return [text, offset];
}

/** What is selected, with a space between words and each line by itself. */
function selectedText() {
  const selection = getSelection();
  if (selection.isCollapsed) return "";
  const range = selection.getRangeAt(0);
  const lines = [...document.querySelectorAll(".view:not([inert]) .line, #strip .line")].filter(line => range.intersectsNode(line)).map(line =>
    [...line.children].filter(word => range.intersectsNode(word)).map(({firstChild: text}) => text.data.slice(
      range.startContainer === text ? range.startOffset : 0, range.endContainer === text ? range.endOffset : undefined,
    )).filter(Boolean).join(" "));
  return lines.filter(Boolean).join("\n");
}

document.addEventListener("copy", event => {
  const text = selectedText();
  if (!text) return;
  event.clipboardData.setData("text/plain", text);
  event.preventDefault();
});
