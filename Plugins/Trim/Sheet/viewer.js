// Shows a page at the size of its pixels, and steps through the doubtful pages.

const viewer = make("dialog", { class: "viewer" });
const room = make("div", { class: "room" });
const note = make("p", { class: "note" });
const nextInViewer = make("button", { type: "button" });
const doubtful = [...document.querySelectorAll(".doubtful")];
/** The figure whose page the viewer shows, and the place of the one last stepped to. */
let viewed = null;
let doubtfulPlace = -1;

viewer.append(
    make("div", { class: "bar" },
        nextInViewer,
        act("close", () => viewer.close()),
        act("whole", () => pages.get(room.firstElementChild)?.set(null)),
        act("proposed", () => pages.get(room.firstElementChild)?.restore())),
    room, note);
document.body.append(viewer);

function act(key, action) {
    const made = make("button", { type: "button", class: key }, text(key));
    made.addEventListener("click", action);
    return made;
}

// MARK: Stepping

function showCount() {
    const isFirst = doubtfulPlace < 0;
    for (const each of [next, nextInViewer]) {
        each.textContent = !doubtful.length ? text("sure")
            : isFirst ? text("first", doubtful.length) : text("next", doubtfulPlace + 1, doubtful.length);
        each.disabled = !doubtful.length;
    }
}

/** Goes to the doubtful page after the last one; after the last it begins again. */
function step() {
    if (!doubtful.length) return;
    const isOpen = viewer.open;
    putBack();
    doubtful[doubtfulPlace]?.classList.remove("here");
    doubtfulPlace = (doubtfulPlace + 1) % doubtful.length;
    const figure = doubtful[doubtfulPlace];
    figure.classList.add("here");
    figure.scrollIntoView({ block: "center" });
    const svg = figure.querySelector("svg");
    svg?.focus({ preventScroll: true });
    showCount();
    if (isOpen && svg) view(svg);
    else viewer.close();
}

next.addEventListener("click", step);
nextInViewer.addEventListener("click", step);
addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    step();
});

// MARK: The viewer

/** The widths of the page that is shown, in pixels of the window: within the window, and with all its pixels. */
function widths(svg) {
    const { width, height } = svg.viewBox.baseVal;
    const fit = Math.min(room.clientWidth - 24, (room.clientHeight - 24) * width / height);
    return { fit, large: Math.max(width / devicePixelRatio, 1.5 * fit) };
}

/** Opens the viewer, at a point of the page if one is given: shares of its width and height. */
function view(svg, at) {
    viewed = svg.closest("figure");
    // The sheet stays as it is behind the viewer.
    viewed.style.minHeight = `${viewed.offsetHeight}px`;
    note.textContent = viewed.querySelector("figcaption").innerText.replaceAll("\n", " · ");
    room.replaceChildren(svg);
    if (!viewer.open) viewer.showModal();
    const { fit, large } = widths(svg);
    svg.style.width = `${at ? large : fit}px`;
    room.classList.toggle("large", Boolean(at));
    if (at) {
        room.scrollTo(
            at.x * svg.clientWidth - room.clientWidth / 2, at.y * svg.clientHeight - room.clientHeight / 2);
    }
    svg.focus({ preventScroll: true });
}

/// Puts the page back on the sheet.
function putBack() {
    if (!viewed) return;
    const svg = room.firstElementChild;
    svg.style.width = "";
    viewed.prepend(svg);
    viewed.style.minHeight = "";
    svg.focus({ preventScroll: true });
    viewed = null;
}

viewer.addEventListener("close", () => { if (!viewer.open) putBack(); });

/** Gives the page another width, so that a point of the window stays where it is on the page. */
function resize(svg, width, x, y) {
    const { fit, large } = widths(svg);
    const before = svg.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    svg.style.width = `${Math.min(4 * large, Math.max(fit, width))}px`;
    const after = svg.getBoundingClientRect();
    room.scrollBy(after.left + across * after.width - x, after.top + down * after.height - y);
    room.classList.toggle("large", after.width > 1.2 * fit);
}

document.addEventListener("click", (event) => {
    const svg = event.target.closest("svg[data-page]");
    // A side that was dragged is let go.
    if (!svg || event.target.closest(".handle")) return;
    const { left, top, width, height } = svg.getBoundingClientRect();
    if (!viewer.open) return view(svg, { x: (event.clientX - left) / width, y: (event.clientY - top) / height });
    const { fit, large } = widths(svg);
    resize(svg, width > 1.2 * fit ? fit : large, event.clientX, event.clientY);
});

room.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const svg = room.firstElementChild;
    resize(svg, svg.clientWidth * Math.exp(-event.deltaY / 100), event.clientX, event.clientY);
}, { passive: false });

let pinch = null;

function span({ touches: [a, b] }) {
    return {
        distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
        x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2,
    };
}

room.addEventListener("touchstart", (event) => {
    pinch = event.touches.length === 2
        ? { distance: span(event).distance, width: room.firstElementChild.clientWidth } : null;
}, { passive: true });

room.addEventListener("touchmove", (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const { distance, x, y } = span(event);
    resize(room.firstElementChild, pinch.width * distance / pinch.distance, x, y);
}, { passive: false });

showCount();
