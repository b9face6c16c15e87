// The bar, and the dialogs that its buttons open.

const bars = [...document.querySelectorAll(".bar")];
const barTime = 3000;
let barTimer = 0;
/** Whether a mouse is over the bar. */
let isHovered = false;

const isBarShown = () => root.classList.contains("with-bar");

/** Shows or hides the bar. It lies over the page, which never moves, and goes by itself unless it is pinned. */
function showBar(shows) {
  root.classList.toggle("with-bar", shows);
  clearTimeout(barTimer);
  if (shows) waitForBar();
  else if (bars.some(bar => bar.contains(document.activeElement))) focusPages();
}

function waitForBar() {
  clearTimeout(barTimer);
  if (isBarShown()) barTimer = setTimeout(() => { if (!isBarUsed()) showBar(false); }, barTime);
}

const isBarUsed = () => common.pinned || isHovered || bars.some(bar => bar.contains(document.activeElement))
  || document.querySelector("dialog[open]") !== null;

for (const bar of bars) {
  bar.addEventListener("pointerenter", event => { isHovered = event.pointerType === "mouse"; });
  bar.addEventListener("pointerleave", () => {
    isHovered = false;
    waitForBar();
  });
  bar.addEventListener("focusout", waitForBar);
  // A button that was pressed with a finger or a mouse does not keep the bar.
  bar.addEventListener("click", event => { if (event.detail > 0 && !document.querySelector("dialog[open]")) focusPages(); });
}

const focusPages = () => (isStrip() ? strip : stage).focus({preventScroll: true});

// MARK: Dialogs

const dialogs = [...document.querySelectorAll("dialog")];

function openDialog(name, prepare = () => {}) {
  const dialog = byId(name);
  const wasOpen = dialog.open;
  for (const other of dialogs) other.close();
  if (wasOpen) return;
  prepare();
  dialog.showModal();
}

for (const dialog of dialogs) {
  // The backdrop counts as the dialog itself, and a drag that ends there as a click.
  let isOutside = false;
  dialog.addEventListener("pointerdown", ({clientX, clientY}) => {
    const {left, top, right, bottom} = dialog.getBoundingClientRect();
    isOutside = clientX < left || clientX >= right || clientY < top || clientY >= bottom;
  });
  dialog.addEventListener("click", ({target}) => {
    if (target === dialog && isOutside || target.closest("[data-close]")) dialog.close();
  });
  dialog.addEventListener("close", () => {
    waitForBar();
    if (book && !document.querySelector("dialog[open]")) focusPages();
  });
}

function showContents() {
  byId("goto").value = book.pages[anchor].label;
  // The last line that begins at or before the page that is seen.
  const here = book.outline.reduce((last, {page}, rank) => Number.isInteger(page) && page <= anchor ? rank : last, -1);
  byId("outline").replaceChildren(...book.outline.map(({title, page, level}, rank) => {
    const target = book.pages[page];
    const line = target
      ? button({"aria-current": rank === here ? "true" : null}, () => leaveFor("contents", page),
        isolated(title), make("span", {}, target.label))
      : make("p", {}, isolated(title));
    line.style.paddingInlineStart = `${0.75 + 1.1 * clamp(level, 0, 8)}rem`;
    return make("li", {}, line);
  }));
}

/** Goes from a dialog to a page. */
function leaveFor(dialog, page) {
  byId(dialog).close();
  goTo(page);
}

/** Goes to the page with a printed number, or else to the one in that place. */
function goToTyped() {
  const text = clean(byId("goto").value).normalize("NFKC");
  const labeled = book.pages.findIndex(({label}) => label.normalize("NFKC").toLowerCase() === text.toLowerCase());
  const place = /^\d+$/.test(text) ? Number(text) - 1 : -1;
  const page = labeled >= 0 ? labeled : place;
  if (!book.pages[page]) return say(tr("There is no page {0}.", text));
  leaveFor("contents", page);
}

function thumbnailOf(place) {
  const {thumbnail, part} = book.pages[place];
  const image = make("img", {src: thumbnail, alt: "", loading: "lazy", draggable: "false"});
  image.style.aspectRatio = `${part[2]} / ${part[3]}`;
  return image;
}

function showThumbnails() {
  const list = byId("thumbs");
  list.dir = settings.direction;
  if (!list.children.length) {
    list.append(...book.pages.map(({place, label}) => make("li", {}, button(
      {"data-page": place + 1, "aria-label": tr("Page {0}", label)}, () => leaveFor("pages", place), thumbnailOf(place),
      make("span", {}, label)))));
  }
  const buttons = list.querySelectorAll("button");
  for (const item of buttons) item.removeAttribute("aria-current");
  for (const page of seen()) buttons[page].setAttribute("aria-current", "true");
  // Once the dialog is there, the page that is seen comes into view.
  requestAnimationFrame(() => {
    buttons[anchor].scrollIntoView({block: "center"});
    buttons[anchor].focus({preventScroll: true});
  });
}

function showSettings() {
  const values = {layout: settings.layout, fit: settings.fit, direction: settings.direction, theme: common.theme};
  for (const radio of byId("view").querySelectorAll("[type=radio]")) radio.checked = values[radio.name] === radio.value;
  byId("cover").checked = settings.cover;
  byId("pinned").checked = common.pinned;
  const downloads = downloadLinks(book.files, base, book.title);
  byId("downloads").hidden = !downloads.length;
  byId("downloads").lastElementChild.replaceChildren(...downloads);
  byId("offline").hidden = !isSecureContext || !isServed || !("serviceWorker" in navigator) || !("caches" in window);
}

byId("view").addEventListener("change", ({target}) => {
  if (target.id === "cover") return choose("cover", target.checked);
  if (target.id === "pinned") common.pinned = target.checked;
  else if (target.name === "theme") common.theme = target.value;
  else return choose(target.name, target.value);
  saveCommon();
  showTheme();
});

byId("slider").addEventListener("input", ({target}) => goTo(target.value - 1, {later: 80}));
for (const input of document.querySelectorAll("[type=file]")) {
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) withFiles(() => loadMarks(file));
    input.value = "";
  });
}
onEnter(byId("goto"), goToTyped);
onEnter(byId("range"), () => actions.printPages());
