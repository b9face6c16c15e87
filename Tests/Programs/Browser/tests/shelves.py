"""Shelves: many books, one reader."""

from books import HOSTILE, shelf
from reader import NOTED, chromium_test, tests

TITLES = ["Zebra", "Book 10", "Book 2", HOSTILE, "カタカナの本", "كتاب", "A title that is long " * 12]
SERIES = [
    ["--title", "The flood", "--series", "Ark", "--number", "10"], ["--title", "The bow", "--series", "Ark", "--number", "2"],
    ["--title", "Alone", "--series", "Zoo", "--number", "1"], ["--title", "Moby Dick"],
    ["--title", "Ark 1", "--series", "Ark", "--number", "1"],
]
SHELF_TITLE = "Comics & <b>more</b>"
titles = shelf("shelf", TITLES, "--shelf-title", SHELF_TITLE)
series = shelf("series", SERIES)
volumes = shelf("volumes", [f"Volume {number}" for number in range(1, 10)])
kept = shelf("kept-shelf", ["Kept", "Left"])
SHOWN = "$texts('#books b')"
# The widths of covers, or 0 for one that is missing.
COVERS = """Promise.all($all(".cover img").map(image => {
  image.loading = "eager";
  return image.decode().then(() => image.naturalWidth, () => 0);
}))"""
# The names of series, and the titles of their books with the numbers that are shown below.
CARDS = """$all("#books > *").map(element => element.matches("h2") ? element.textContent
  : [...element.querySelectorAll("a[href^='#b=']")].map(link => ["b", "small"].map(name => link.querySelector(name).textContent)))"""
ARK = [["Ark 1", ""], ["The bow", "Ark 2"], ["The flood", "Ark 10"]]
# What leads on from the card at the end of a book.
END = "$texts('#end a, #end .plain')"
NEXT = ["Next volumeThe floodArk 10", "Back to the shelf"]
# The books of a shelf come only when the test lets them.
SLOW = """
const real = load;
window.slow = [];
load = address => address.endsWith("book.js") ? new Promise(done => slow.push(done)).then(() => real(address)) : real(address);
window.ids = shelf.books.map(({id}) => `#b=${id}`);
"""
FOCUSED = "$all('#books a').indexOf(document.activeElement)"
TOP = "document.activeElement.getBoundingClientRect().top"

tests({
    "a shelf shows, sorts and finds its books": lambda reader: reader.open(titles, touch=False)
        .sees(title=SHELF_TITLE).gives("$texts('#shelf-title')", [SHELF_TITLE])
        .gives(f"{SHOWN}.sort()", sorted(title.strip() for title in TITLES))
        .gives(f"{SHOWN}.filter(title => /^(Book|Zebra)/.test(title))", ["Book 2", "Book 10", "Zebra"])
        .gives("$all('#books b *:not(bdi)').length", 0).fill("#shelf-search", "ｂｏｏｋ").gives(SHOWN, ["Book 2", "Book 10"])
        .fill("#shelf-search", "かたかな").gives(SHOWN, ["カタカナの本"])
        .fill("#shelf-search", "nothing").gives(SHOWN, []).gives("byId('no-books').hidden", False)
        .fill("#shelf-search", "").gives(COVERS, [150] * len(TITLES)).quiet(),
    "a shelf groups series": lambda reader: reader.open(series, touch=False)
        .gives(CARDS, ["Ark", ARK, "Other books", [["Moby Dick", ""], ["Alone", "Zoo 1"]]])
        .fill("#shelf-sort", "title", "change").gives(SHOWN, ["Alone", "Ark 1", "Moby Dick", "The bow", "The flood"])
        .fill("#shelf-sort", "series", "change").fill("#shelf-search", "ark 1").gives(f"{CARDS}[0]", "Ark"),
    "the end of a volume leads on": lambda reader: reader.open(series, touch=False)
        .open_from_shelf("The bow").press("End").sees(dialog=None).press("Right").sees(dialog="end").gives(END, NEXT)
        .press("Escape").sees(4, 5).press("w", "End").do("strip.scrollTo({top: 1e6, behavior: 'instant'})").frames(2)
        .press(" ").sees(dialog="end").gives(END, NEXT)
        .click("#end a").wait("document.title === 'The flood' && document.querySelector('.page.ready')").sees(dialog=None)
        .press("End", "Right").sees(dialog="end").gives(END, ["Back to the shelf"])  # This is the last volume.
        .click("#end .plain").wait("!byId('shelf').hidden").sees(dialog=None),
    "a book that comes late opens only where it is wanted": lambda reader: reader.open(volumes, size=(500, 500), touch=False)
        .do(SLOW).do("location.hash = ids[0]").frames(3).do("location.hash = ''").frames(3)
        .do("slow.shift()()").frames(3).sees(shelf=True)
        .do("loaded.clear(); location.hash = ids[0]").frames(3).do("location.hash = ids[1]").frames(3)
        .do("slow.pop()()").wait("book").do("slow.pop()()").frames(3).sees(title="Volume 2"),
    "a book that failed is opened by its link again": lambda reader: reader.open(volumes, touch=False)
        .do("const real = load; load = () => { load = real; return Promise.reject(new Error('503')); }")
        .click("#books a").wait("!toast.hidden").sees(toast='"Volume 1" cannot be opened.', shelf=True)
        .click("#books a").wait("book").sees(title="Volume 1"),
    # The heights of books that were never in view are estimates. The event is that of a page turned in another tab.
    "a shelf is as it was left": lambda reader: reader.open(volumes, size=(500, 500), touch=False)
        .do("$all('#books a')[2].focus({preventScroll: true}); scrollTo(0, 150)").frames(20)
        .gives("scrollY > 0", True).gives(FOCUSED, 2).note(TOP)
        .do("document.activeElement.click()").wait("book").press("Escape").wait("!book").frames(20)
        .gives(FOCUSED, 2).gives(TOP, NOTED, within=60)
        .do("dispatchEvent(new StorageEvent('storage', {key: `jisui:1:${shelf.books[0].id}`, newValue: '{}'}))")
        .gives(FOCUSED, 2).gives(TOP, NOTED, within=60),
    "the keyboard leads from a shelf to a clip and back": lambda reader: reader.open(titles, touch=False)
        .tab_to("element.textContent.startsWith('Book 2')")
        .press("Enter").wait("document.querySelector('.page.ready')").sees(1, title="Book 2")
        .press("Right", "c", "Enter", "k").gives("$all('#clips li').length", 1)
        .tab_to("element.ariaLabel === 'Go to page 2'").press("Enter").sees(2, 3)
        .press("Escape").frames(20).gives(f"{SHOWN}.length", len(TITLES))
        .gives("$all('#books li:has(progress) small:last-child').map(element => element.textContent)", ["2 of 6"])
        .do("history.back()").frames(20).sees(2, 3).quiet(),
})


@chromium_test
def a_book_of_a_shelf_is_kept_for_reading_without_a_network(reader):
    with reader.served() as stop:
        reader.open(kept, touch=False).open_from_shelf("Kept").do("window.confirm = () => true").click("[data-do=offline]")
        reader.wait("toast.textContent.startsWith('20 of 20 files')").wait("navigator.serviceWorker.controller")
        stop()
        # The shelf is there without the server, with the cover of the book that was kept.
        reader.open(kept, touch=False, keep=True).gives(SHOWN, ["Kept", "Left"]).gives(COVERS, [150, 0])
        reader.click("#books li:last-child a").wait("!toast.hidden").sees(toast='"Left" cannot be opened.')
        reader.open_from_shelf("Kept").sees(1).press("End").sees(4)
