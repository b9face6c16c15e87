// Fingers, pens, mouse and wheel: taps by thirds, swipes, pinches, holding for the loupe.

const tapReach = 10;
const tapTime = 500;
const doubleTime = 300;
/** The pointers that are down, by their ids. */
const pointers = new Map();
/** What the first pointer is doing; null when none is down. */
let press = null;
let pinch = null;
/** Until when taps are passed over, after a pinch. */
let quietUntil = 0;
let lastTap = {time: -Infinity};
let holdTimer = 0;

for (const area of [stage, strip]) {
  area.addEventListener("pointerdown", pointerDown);
  area.addEventListener("pointermove", pointerMove);
  area.addEventListener("pointerup", pointerUp);
  area.addEventListener("pointercancel", pointerUp);
  area.addEventListener("contextmenu", event => { if (press) event.preventDefault(); });
  // Else the browser would begin to scroll under the loupe.
  area.addEventListener("touchmove", event => { if (press?.is === "loupe") event.preventDefault(); }, {passive: false});
}

function pointerDown(event) {
  if (event.button !== 0 || !book) return;
  pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  // Else a mouse that is let go over the bar, or outside the window, would stay pressed. Fingers scroll the strip.
  if (!isStrip() || event.pointerType === "mouse") event.currentTarget.setPointerCapture(event.pointerId);
  if (pointers.size > 1) {
    cancelPress();
    if (press) press.is = "nothing";
    if (!isStrip() && pointers.size === 2) pinch = {...spanOfPointers(), z: zoom.z};
    return;
  }
  const now = performance.now();
  press = {
    id: event.pointerId, x: event.clientX, y: event.clientY, lastX: event.clientX, lastY: event.clientY, time: now,
    is: "tap", speed: 0, movedAt: now,
    // A finger stops a strip that glides on.
    stops: event.pointerType !== "mouse" && now - scrolledAt < 100,
  };
  // The first touch of all does nothing but show what touches do.
  press.isFirst = event.pointerType === "touch" && !common.gestures;
  if (press.isFirst || now < quietUntil) press.is = "nothing";
  else holdTimer = setTimeout(() => {
    if (press?.is !== "tap") return;
    press.is = "loupe";
    showLoupe(press.lastX, press.lastY);
  }, tapTime);
}

/** Ends what a press has begun, without the effect it was to have. */
function cancelPress() {
  clearTimeout(holdTimer);
  if (press?.is === "swipe") letGo(press.across, false);
  if (press?.is === "loupe") hideLoupe();
}

function spanOfPointers() {
  const [a, b] = [...pointers.values()];
  return {distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
}

function pointerMove(event) {
  const pointer = pointers.get(event.pointerId);
  if (!pointer) return;
  // Of two buttons of a mouse, only the last to be let go is told of as such.
  if (event.pointerType === "mouse" && !(event.buttons & 1)) return pointerUp(event);
  [pointer.x, pointer.y] = [event.clientX, event.clientY];
  if (pinch) {
    const {distance, x, y} = spanOfPointers();
    zoomTo(pinch.z * distance / pinch.distance, x, y);
    pan(x - pinch.x, y - pinch.y);
    [pinch.x, pinch.y] = [x, y];
    return;
  }
  if (!press || press.id !== event.pointerId) return;
  const [across, down] = [event.clientX - press.x, event.clientY - press.y];
  const [stepAcross, stepDown] = [event.clientX - press.lastX, event.clientY - press.lastY];
  const now = performance.now();
  if (press.is === "tap" && Math.hypot(across, down) >= tapReach) {
    clearTimeout(holdTimer);
    const isAlong = Math.abs(across) > Math.abs(down);
    press.is = overlay?.drag(event) ? "text" : isStrip() ? "nothing" : isZoomed() || !isAlong || canPan(stepAcross) ? "pan" : "swipe";
  }
  if (press.is === "text") overlay.drag(event);
  // It may be gone, with the page that it showed.
  if (press.is === "loupe" && loupePoint) moveLoupe(event.clientX, event.clientY);
  if (press.is === "pan") pan(stepAcross, stepDown);
  if (press.is === "swipe") {
    press.speed = stepAcross / Math.max(1, now - press.movedAt);
    press.across = across;
    drag(across);
  }
  [press.lastX, press.lastY, press.movedAt] = [event.clientX, event.clientY, now];
}

function pointerUp(event) {
  if (!pointers.delete(event.pointerId)) return;
  if (pinch) {
    if (pointers.size < 2) pinch = null;
  }
  const isCancelled = event.type === "pointercancel";
  if (press?.id === event.pointerId) {
    clearTimeout(holdTimer);
    const {is, across = 0, time, x, y, speed, movedAt} = press;
    if (is === "loupe") hideLoupe();
    if (is === "swipe") {
      const isFast = performance.now() - movedAt < 100 && Math.abs(speed) >= 0.3 && speed * across > 0;
      letGo(across, !isCancelled && (isFast || Math.abs(across) > 0.2 * stage.clientWidth));
    }
    if (is === "tap" && !isCancelled && !press.stops && performance.now() - time < tapTime) tap(x, y, event);
    if (is === "nothing" && !isStrip()) quietUntil = performance.now() + 300;
    if (press.isFirst && !isCancelled) showGestures();
    press = null;
  }
  if (pointers.size) quietUntil = Infinity;
  else if (quietUntil === Infinity) quietUntil = performance.now() + 300;
}

/** A tap: by thirds it turns or shows the bar, and twice in the middle it zooms. */
function tap(x, y, event) {
  if (overlay?.follow(x, y, event)) return;
  const isAcross = layout !== "webtoon";
  const [at, length] = isAcross ? [x, innerWidth] : [y, innerHeight];
  const third = at <= length / 3 ? -1 : at > 2 * length / 3 ? 1 : 0;
  const now = performance.now();
  const isDouble = now - lastTap.time < doubleTime && Math.hypot(x - lastTap.x, y - lastTap.y) < 40;
  const before = {time: now, x, y, barWas: isBarShown()};
  if (isZoomed()) {
    if (isDouble) {
      resetZoom();
      showBar(lastTap.barWas);
      lastTap = {time: -Infinity};
      return;
    }
    if (third === 0) showBar(!isBarShown());
    lastTap = before;
    return;
  }
  if (third !== 0) {
    lastTap = {time: -Infinity};
    turn(third * (isAcross && isRightToLeft() ? -1 : 1));
  } else if (isDouble && !isStrip()) {
    // The first of the two has shown or hidden the bar.
    showBar(lastTap.barWas);
    zoomTo(2, x, y);
    lastTap = {time: -Infinity};
  } else {
    showBar(!isBarShown());
    lastTap = before;
  }
}

/** Shows once what touches do. */
function showGestures() {
  common.gestures = true;
  saveCommon();
  openGestures();
}

function openGestures() {
  openDialog("gestures", () => { byId("gestures").dir = settings.direction; });
}

byId("gestures").addEventListener("pointerdown", () => byId("gestures").close());

// A strip at its end does not scroll on: whoever pulls it all the same is told what follows.
let pulledFrom = null;
const alongStrip = ({clientX, clientY}) => isSideways() ? clientX * (isRightToLeft() ? -1 : 1) : clientY;
strip.addEventListener("touchstart", ({touches}) => {
  pulledFrom = touches.length === 1 && isAtStripEnd() ? alongStrip(touches[0]) : null;
}, {passive: true});
strip.addEventListener("touchend", ({changedTouches}) => {
  if (pulledFrom !== null && pulledFrom - alongStrip(changedTouches[0]) > 60) reachedEnd(1);
  pulledFrom = null;
}, {passive: true});

// MARK: The wheel

/** The milliseconds after a turn, or after moving a page, in which the wheel turns nothing. */
const wheelTime = 250;
/** The pixels of a wheel's notch. Trackpads tell of fewer at once, and go on for a while by themselves. */
const notch = 100;
let wheeledAt = -Infinity;

/** How far a wheel was moved, in pixels: across and down. */
function wheeled({deltaX, deltaY, deltaMode}) {
  const scale = deltaMode === 0 ? 1 : deltaMode === 1 ? 40 : innerHeight;
  return [deltaX * scale, deltaY * scale];
}

/** By what a wheel with Ctrl zooms: a notch by a fifth. Two fingers on a trackpad give hundredths of a natural logarithm. */
const wheeledZoom = event => Math.exp(-clamp(wheeled(event)[1], -18.2, 18.2) / 100);

stage.addEventListener("wheel", event => {
  event.preventDefault();
  if (event.ctrlKey) return zoomTo(zoom.z * wheeledZoom(event), event.clientX, event.clientY);
  const [across, down] = wheeled(event);
  const isAlong = Math.abs(across) > Math.abs(down);
  const now = performance.now();
  // A hand that turns pages sideways moves up and down a little, too.
  if (shown() && pan(-across, isAlong && !isZoomed() ? 0 : -down)) {
    wheeledAt = now;
    return;
  }
  if (isZoomed()) return;
  if (now - wheeledAt < wheelTime) {
    if (Math.max(Math.abs(across), Math.abs(down)) < notch) wheeledAt = now;
    return;
  }
  wheeledAt = now;
  const step = isAlong ? Math.sign(across) * (isRightToLeft() ? -1 : 1) : Math.sign(down);
  if (step) turn(step, {atEnd: step < 0});
}, {passive: false});

strip.addEventListener("wheel", event => {
  if (event.ctrlKey) {
    event.preventDefault();
    zoomStrip(stripZoom * wheeledZoom(event));
  } else if (isAtStripEnd() && Math.max(...wheeled(event)) > 0 && performance.now() - scrolledAt > 2 * wheelTime) {
    reachedEnd(1);
  } else if (isSideways() && !event.deltaX) {
    event.preventDefault();
    scrollStripBy(wheeled(event)[1]);
  }
}, {passive: false});

let resizeTimer = 0;
let wasWide = innerWidth > innerHeight;

addEventListener("resize", screenChanged);
// WebKit may give a document that was just opened another size without telling of it.
new ResizeObserver(() => { if (book && arrangedFor !== screenSize()) screenChanged(); }).observe(byId("reader"));

function screenChanged() {
  const isTurned = wasWide !== innerWidth > innerHeight;
  wasWide = innerWidth > innerHeight;
  if (!book) return;
  if (isTurned && !isBarUsed()) showBar(false);
  hideLoupe();
  endCut();
  arrange();
  // Some browsers tell their new size a moment late.
  clearTimeout(resizeTimer);
  resizeTimer = setTimeout(() => { if (isStrip()) keepLine(); }, 50);
}
