"use strict";
// The decision file that a sheet holds, and the bar that saves it. The script of each kind of sheet follows.

const file = JSON.parse(document.body.dataset.decisions);
const texts = JSON.parse(document.body.dataset.texts);
/** The pages whose decisions were changed on the sheet. */
const changed = new Set();
let isSaved = true;

/** A text in the sheet's language, with values at its places. */
const text = (key, ...values) => texts[key].replace(/\{(\d)\}/g, (_, place) => values[place]);

function make(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

const save = make("button", { type: "button", class: "main", disabled: "" }, text("save"));
const status = make("span", { role: "status", class: "quiet" });
const bar = make("p", { class: "bar" }, save, status);
document.querySelector("header").after(bar);

/** Takes note that the decision for a page was changed, or is again the proposed one. */
function decide(page, isChanged, description) {
    changed[isChanged ? "add" : "delete"](page);
    isSaved = false;
    save.disabled = false;
    const count = changed.size === 1 ? text("one") : text("many", changed.size);
    status.textContent = description ? `${description}; ${count}` : count;
}

save.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1), "\n"], { type: "application/json" }));
    link.download = document.body.dataset.file;
    link.click();
    URL.revokeObjectURL(link.href);
    isSaved = true;
    status.textContent = text("saved", link.download);
});

addEventListener("beforeunload", (event) => {
    if (!isSaved) event.preventDefault();
});
