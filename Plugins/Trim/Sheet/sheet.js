// Takes corrections of what is kept of pages, for the file that --trim-file follows.
//
// A side or a corner of a box is dragged, or a side moved with the arrow keys; in the file the page's "box" changes and
// nothing else.

/** The pages by their elements. */
const pages = new Map();
const next = make("button", { type: "button" });
document.querySelector("header").append(
    make("p", { class: "quiet" },
        make("span", { class: "mouse" }, `${text("mouse")} ${text("keyboard")}`),
        make("span", { class: "touch" }, text("touch"))));
bar.prepend(next);

function element(name, attributes, parent) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent.append(made);
    return made;
}

/// A page on the sheet, and its entry of the file.
class Page {
    static sides = ["left", "top", "right", "bottom"];
    static corners = [["left", "top"], ["right", "top"], ["left", "bottom"], ["right", "bottom"]];

    constructor(svg, entry) {
        this.svg = svg;
        this.entry = entry;
        [this.width, this.height] = entry.size;
        this.frame = svg.querySelector(".kept");
        this.caption = svg.nextElementSibling;
        this.caption.dataset.corrected = text("corrected");
        this.handles = [];
        for (const names of [...Page.sides.map((side) => [side]), ...Page.corners]) {
            const line = element("line", { class: `handle ${names.join("-")}` }, svg);
            line.addEventListener("pointerdown", (event) => this.grab(event, line, names));
            this.handles.push([line, names]);
        }
        svg.tabIndex = 0;
        svg.setAttribute("role", "group");
        svg.addEventListener("keydown", (event) => this.press(event));
        this.show();
    }

    /// What is kept: the places of the four sides, in pixels of the page.
    get kept() {
        const [x, y, width, height] = this.entry.box ?? [0, 0, this.width, this.height];
        return { left: x, top: y, right: x + width, bottom: y + height };
    }

    /// Keeps a part of the page of at least a pixel each way; all of it is null in the file.
    keep(sides) {
        const within = (value, least, most) => Math.min(most, Math.max(least, Math.round(value)));
        const left = within(sides.left, 0, this.width - 1);
        const top = within(sides.top, 0, this.height - 1);
        const width = within(sides.right, left + 1, this.width) - left;
        const height = within(sides.bottom, top + 1, this.height) - top;
        const isWhole = width === this.width && height === this.height;
        this.set(isWhole ? null : [left, top, width, height]);
    }

    set(box) {
        this.entry.box = box;
        const isChanged = JSON.stringify(box) !== JSON.stringify(this.entry.proposed);
        this.caption.closest("figure").classList.toggle("changed", isChanged);
        this.svg.classList.toggle("changed", isChanged);
        this.show();
        decide(this.entry.page, isChanged, this.description);
    }

    restore() { this.set(this.entry.proposed); }

    get description() {
        const { page, box } = this.entry;
        return box ? text("page", page, box[2], box[3], box[0], box[1]) : text("all", page);
    }

    show() {
        const { left, top, right, bottom } = this.kept;
        const place = { x: left, y: top, width: right - left, height: bottom - top };
        for (const [key, value] of Object.entries(place)) this.frame.setAttribute(key, value);
        let cut = this.svg.querySelector(".cut");
        if (!cut) {
            cut = element("path", { class: "cut" }, this.svg);
            this.frame.before(cut);
        }
        cut.setAttribute(
            "d", `M0 0H${this.width}V${this.height}H0ZM${left} ${top}H${right}V${bottom}H${left}Z`);
        for (const [line, names] of this.handles) {
            const has = (name) => names.includes(name);
            const across = has("left") ? [left, left] : has("right") ? [right, right] : [left, right];
            const down = has("top") ? [top, top] : has("bottom") ? [bottom, bottom] : [top, bottom];
            line.setAttribute("x1", across[0]);
            line.setAttribute("x2", across[1]);
            line.setAttribute("y1", down[0]);
            line.setAttribute("y2", down[1]);
        }
        this.svg.setAttribute("aria-label", this.description);
    }

    grab(event, line, names) {
        if (event.button !== 0) return;
        event.preventDefault();
        this.svg.focus();
        line.setPointerCapture(event.pointerId);
        const start = { x: event.clientX, y: event.clientY, kept: this.kept };
        const move = (event) => {
            const scale = this.width / this.svg.getBoundingClientRect().width;
            const sides = { ...start.kept };
            for (const name of names) {
                const isAcross = name === "left" || name === "right";
                sides[name] += scale * (isAcross ? event.clientX - start.x : event.clientY - start.y);
                // A side stops before the one opposite.
                if (name === "left") sides.left = Math.min(sides.left, sides.right - 1);
                if (name === "top") sides.top = Math.min(sides.top, sides.bottom - 1);
            }
            this.keep(sides);
        };
        const drop = () => {
            line.removeEventListener("pointermove", move);
            line.removeEventListener("pointerup", drop);
            line.removeEventListener("pointercancel", drop);
        };
        line.addEventListener("pointermove", move);
        line.addEventListener("pointerup", drop);
        line.addEventListener("pointercancel", drop);
    }

    press(event) {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        if (event.key === "Escape" && !viewer.open) this.restore();
        else if (event.key === "Enter" && !viewer.open) view(this.svg, { x: 0.5, y: 0.5 });
        else if (event.key === "w" || event.key === "W") this.set(null);
        else if (event.key.startsWith("Arrow")) this.nudge(event.key.slice(5), event.shiftKey);
        else return;
        event.preventDefault();
    }

    /// Moves a side by a two-hundredth of the page.
    nudge(direction, isOpposite) {
        const isAcross = direction === "Left" || direction === "Right";
        const isBack = direction === "Left" || direction === "Up";
        const side = isAcross
            ? (isBack !== isOpposite ? "left" : "right")
            : (isBack !== isOpposite ? "top" : "bottom");
        const step = Math.max(1, Math.round((isAcross ? this.width : this.height) / 200));
        const sides = this.kept;
        sides[side] += isBack ? -step : step;
        if (sides.left < sides.right && sides.top < sides.bottom) this.keep(sides);
    }
}

const entries = new Map(file.pages.map((entry) => [entry.page, entry]));
for (const svg of document.querySelectorAll("svg[data-page]")) {
    const entry = entries.get(Number(svg.dataset.page));
    if (entry) pages.set(svg, new Page(svg, entry));
}
