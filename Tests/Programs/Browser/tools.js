// What tests of the reader use in its document: a clock, a list of events, and the places of what is seen.

// Where it comes after the reader's own scripts, the bar's timer begins again with the new clock.
if (typeof barTimer === "number") clearTimeout(barTimer);

/** Timers and clocks that stand still until a test moves them, so that no test depends on the speed of a machine. */
{
  let now = 1000, count = 0;
  const timers = new Map(), start = Date.now();
  window.setTimeout = (run, delay = 0, ...rest) => { timers.set(++count, {run, rest, at: now + Number(delay)}); return count; };
  window.clearTimeout = id => timers.delete(id);
  performance.now = () => now;
  Date.now = () => start + now;
  window.advance = time => {
    const end = now + time;
    for (;;) {
      const [due] = [...timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at);
      if (!due) break;
      timers.delete(due[0]);
      now = Math.max(now, due[1].at);
      due[1].run(...due[1].rest);
    }
    now = end;
  };
}

/** The events of pointers and their places, to wait for them, and to show them when a test fails. */
window.$events = [];
for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
  addEventListener(kind, ({clientX, clientY}) => { $events.push(`${kind} ${clientX} ${clientY}`); }, {capture: true});
}

window.$all = selector => [...document.querySelectorAll(selector)];
window.$texts = selector => $all(selector).map(element => element.textContent);
/** The boxes of elements in the window: left, top, right, bottom. */
window.$boxes = selector => $all(selector).map(element => element.getBoundingClientRect())
  .map(({left, top, right, bottom}) => [left, top, right, bottom]);
/** The pages that are seen, from left to right. */
window.$seen = () => $all(".view:not([inert]) .page")
  .sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left);
window.$page = (rank = 0) => $seen()[rank].getBoundingClientRect();
/** The page of a strip in the middle of the window, and how far down the page the middle is, from 0 to 1. */
window.$line = () => {
  const middle = strip.clientHeight / 2;
  const page = $all("#strip .page").find(page => page.getBoundingClientRect().bottom > middle);
  const {top, height} = page.getBoundingClientRect();
  return [Number(page.dataset.page), (middle - top) / height];
};
/** The browser's memory of the open book. */
window.$stored = () => JSON.parse(localStorage.getItem(keyOf(book.id)));

const send = (target, event) => target.dispatchEvent(event);
window.$hold = key => send(document.activeElement, new KeyboardEvent("keydown", {key, repeat: true, bubbles: true, cancelable: true}));
window.$wheel = (deltaX, deltaY, ctrlKey = false) => send(isStrip() ? strip : stage, new WheelEvent(
  "wheel", {deltaX, deltaY, ctrlKey, clientX: 450, clientY: 300, bubbles: true, cancelable: true}));
/** A flick on a trackpad: less and less, for a second and a half. */
window.$glide = () => { for (let down = 60; down > 1; down *= 0.95) { $wheel(0, down); advance(16); } };

/** What is seen, once the pictures of the pages are there. */
window.$state = () => new Promise(done => {
  const look = () => $seen().every(page => page.matches(".ready, .broken")) ? done({
    pages: $seen().map(page => Number(page.dataset.page)),
    bar: getComputedStyle(document.getElementById("top")).visibility === "visible",
    zoomed: document.documentElement.classList.contains("zoomed"),
    loupe: !document.getElementById("loupe").hidden,
    dialog: document.querySelector("dialog[open]")?.id,
    toast: document.getElementById("toast").hidden ? "" : document.getElementById("toast").textContent,
    live: document.getElementById("live").textContent,
    focus: document.activeElement?.id || document.activeElement?.dataset?.do || document.activeElement?.tagName,
    shelf: !document.getElementById("shelf").hidden,
    title: document.title,
  }) : requestAnimationFrame(look);
  requestAnimationFrame(look);
});

if (typeof book === "object" && book) showBar(true);
