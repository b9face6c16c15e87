"use strict";
// Compares each page before and after, takes decisions, and saves them as the file that --clean-file follows.

const file = JSON.parse(document.body.dataset.decisions);
const texts = JSON.parse(document.body.dataset.texts);
const entries = new Map(file.pages.map((entry) => [entry.page, entry]));
const changed = new Set();
let isSaved = true;

/** A text in the sheet's language, with values at its places. */
const text = (key, ...values) => texts[key].replace(/\{(\d)\}/g, (_, place) => values[place]);

const save = document.createElement("button");
save.type = "button";
save.disabled = true;
save.textContent = text("save");
const status = document.createElement("span");
status.setAttribute("role", "status");
status.className = "quiet";
const bar = document.createElement("p");
bar.className = "bar";
bar.append(save, status);
document.querySelector("header").after(bar);

for (const slider of document.querySelectorAll("input[type=range]")) {
    const pair = slider.previousElementSibling;
    slider.addEventListener("input", () => pair.style.setProperty("--at", `${slider.value}%`));
}

for (const figure of document.querySelectorAll("figure[data-page]")) {
    const entry = entries.get(Number(figure.dataset.page));
    const proposed = { ...entry };
    for (const box of figure.querySelectorAll("input[type=checkbox]")) {
        box.addEventListener("change", () => {
            entry[box.name] = box.checked;
            const isChanged = Object.keys(entry).some((key) => entry[key] !== proposed[key]);
            figure.classList.toggle("changed", isChanged);
            changed[isChanged ? "add" : "delete"](entry.page);
            isSaved = false;
            save.disabled = false;
            status.textContent = changed.size === 1 ? text("one") : text("many", changed.size);
        });
    }
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
