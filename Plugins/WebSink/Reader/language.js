// The language of the reader: the first of the browser's that is there. English is in the document and the scripts; each other
// language is a file of its own, with the English texts as keys.

const languages = ["ja"];
/** Whether there is a keyboard to give hints for. */
const hasKeys = !matchMedia("(hover: none) and (pointer: coarse)").matches;

async function chooseLanguage() {
  const wanted = navigator.languages.map(tag => tag.slice(0, 2).toLowerCase());
  const code = wanted.find(code => code === "en" || languages.includes(code)) ?? "en";
  // Without its file it stays English.
  if (code !== "en" && await load(`${code}.js`).then(() => true, () => false)) root.lang = code;
  translateDocument();
}

function translateDocument() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const text = node.data.trim();
    if (text && !node.parentElement.matches("kbd")) node.data = node.data.replace(text, () => tr(text));
  }
  for (const name of ["aria-label", "placeholder", "title"]) {
    for (const element of document.body.querySelectorAll(`[${name}]`)) {
      // The key of a button follows in brackets.
      const [, text, key = ""] = /^(.*?)( \([^)]*\))?$/.exec(element.getAttribute(name));
      element.setAttribute(name, tr(text) + (hasKeys ? key : ""));
    }
  }
}
