// Compares each page before and after, and takes decisions for the file that --clean-file follows.

for (const slider of document.querySelectorAll("input[type=range]")) {
    const pair = slider.previousElementSibling;
    slider.addEventListener("input", () => pair.style.setProperty("--at", `${slider.value}%`));
}

const entries = new Map(file.pages.map((entry) => [entry.page, entry]));
for (const figure of document.querySelectorAll("figure[data-page]")) {
    const entry = entries.get(Number(figure.dataset.page));
    const proposed = { ...entry };
    for (const box of figure.querySelectorAll("input[type=checkbox]")) {
        box.addEventListener("change", () => {
            entry[box.name] = box.checked;
            const isChanged = Object.keys(entry).some((key) => entry[key] !== proposed[key]);
            figure.classList.toggle("changed", isChanged);
            decide(entry.page, isChanged);
            save.disabled = isSaved = changed.size === 0;
        });
    }
}
