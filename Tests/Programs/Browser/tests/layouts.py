"""The pages that are seen at once: spreads, single pages, webtoons, panoramas; their sizes and places."""

from books import PAGE, book, ltr, rtl
from reader import NOTED, chromium_tests, tests

wide = book("wide", [PAGE] * 3 + [(600, 440)] + [PAGE] * 4, "--direction", "ltr")
shifted = book("shifted", [PAGE] * 24, "--direction", "ltr", "--spreads", "pair", "--shift", "17")
cropped = book("cropped", [PAGE] * 2, "--crop", "40,30,20,50")
# A whole page in a window that is 600 pixels high, and a cropped one in a window of 900.
PAGE_WIDTH, CROP_SCALE = 600 * 300 / 440, 900 / 380
VIEWS = "views.map(({pages}) => pages)"
MIDDLE = "$page().left + $page().right"

tests({
    "the pages of a spread meet in the middle": lambda reader: reader.open(rtl, "#p=4")
        .sees(5, 4).gives("[$page(0).right, $page(1).left]", [450, 450])
        .press("Home").sees(1).gives(MIDDLE, 900, within=2)  # A cover is in the middle.
        .press("End").sees(12).gives("$page().left", 450)  # A last page alone is on the right, where it begins a spread.
        .press("r", "End").sees(12).gives("$page().right", 450),
    "a turn of the screen keeps the page": lambda reader: reader.open(rtl, "#p=5", size=(600, 900))
        .sees(5).gives("layout", "single").resize(900, 600).sees(5, 4).resize(600, 900).sees(5)
        .resize(900, 600).sees(5, 4).resize(600, 900).sees(5).resize(900, 600).press("Left").sees(7, 6)
        .resize(600, 900).sees(6),
    "a turn of the screen hides the bar unless it is pinned": lambda reader: reader.open(rtl, size=(600, 900))
        .sees(bar=True).resize(600, 800).sees(bar=True)  # Another size is no turn.
        .resize(900, 600).sees(bar=False).press("v").click("#pinned").press("Escape", "m").resize(600, 900).sees(bar=True),
    "a wide page is alone and in the middle": lambda reader: reader.open(wide)
        .press("Right").sees(2, 3).press("Right").sees(4).gives(MIDDLE, 900).press("Right").sees(5, 6)
        .press("Right").sees(7, 8),
    "a shift pairs as jisui does and is remembered": lambda reader: reader.open(shifted, "#p=17")
        .sees(17, 18).press("Left").sees(16).note(VIEWS).open(ltr, "#p=17").press("o").sees(17, 18).gives(VIEWS, NOTED)
        .open(ltr, keep=True).gives(VIEWS, NOTED),
    "a webtoon keeps its row": lambda reader: reader.open(ltr)
        .press("w").scroll("strip.scrollTop = 7321").note("$line()")
        .resize(600, 900).advance(100).gives("$line()", NOTED, within=0.003)
        .resize(500, 300).advance(100).gives("$line()", NOTED, within=0.003)
        .resize(1200, 700).advance(100).gives("$line()", NOTED, within=0.003)
        .resize(900, 600).advance(100).gives("$line()", NOTED, within=0.003)
        .advance(300).gives("$line()[0] === anchor + 1", True),
    "a panorama runs the way of reading": lambda reader: reader.open(rtl)
        .click("[data-do=view]").click("[value=panorama]").press("Escape")
        .gives("$boxes('#strip .page').slice(0, 2).map(([left]) => left)", [900 - PAGE_WIDTH, 900 - 2 * PAGE_WIDTH], within=1)
        # Not the address: WebKit stops a browser that has changed it a hundred times in half a minute.
        .scroll("strip.scrollBy({left: -1000, behavior: 'instant'})").gives("anchor + 1", 4),
    "a page that is larger than the screen is read to its end": lambda reader: reader.open(ltr, size=(500, 400))
        .press("d", "z").gives("[$page().width, $page().top]", [500, 0], within=1)
        .press(" ").sees(1).gives("$page().bottom", 400, within=0.5).press(" ").sees(2)
        .press("Page_Up").sees(1).gives("$page().bottom", 400, within=0.5).press("z").gives("$page().height", 400, within=1)
        .press("z").gives("$page().width", 300, within=1),  # Pixel by pixel.
    "a crop is shown over the whole picture": lambda reader: reader.open(cropped, size=(600, 900))
        .gives("[$page().width, $page().height]", [220 * CROP_SCALE, 380 * CROP_SCALE], within=1)
        .gives("($boxes('.view:not([inert]) img')[0]).map((edge, side) => edge - $page()[side % 2 ? 'top' : 'left'])",
               [-50 * CROP_SCALE, -40 * CROP_SCALE, 250 * CROP_SCALE, 400 * CROP_SCALE], within=1),
})

chromium_tests({
    "a webtoon scrolls by taps and holds few pictures": lambda reader: reader.open(ltr)
        .press("w").advance(3100).do("Object.defineProperty(stillness, 'matches', {value: true})")
        .tap(450, 500).gives("strip.scrollTop", 540, within=2)
        .frames(2).advance(50).tap(450, 300).sees(bar=False)  # Within 100 ms after it scrolled a tap stops it.
        .advance(100).tap(450, 300).sees(bar=True)
        .gives("(held => 0 < held && held <= 8)($all('#strip img[src]').length)", True),
})
