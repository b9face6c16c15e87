"""Fingers, mouse, wheel and keys: turning, the bar, zooming, the loupe."""

from books import book, ltr, rtl
from reader import NOTED, chromium_tests, compare, test, tests

landscape = book("landscape", [(1000, 800)] * 3)
large = book("large", [(3000, 4400)] * 2)
SEEN = "$seen().map(page => page.getBoundingClientRect().toJSON())"
HEIGHT = "$page().height"
STRIP_WIDTH = "document.querySelector('#strip .page').offsetWidth"
GAPS = """(views => views.slice(1).map(([left], rank) => left - views[rank][2]))(
  $boxes(".view").sort(([left], [other]) => left - other))"""
BOXES = ["#loupe", "#loupe .page", ".view:not([inert]) .page"]
SCROLL_DOWN = "strip.scrollBy({top: 500, behavior: 'instant'})"

tests({
    "thirds of a book from right to left": lambda reader: reader.open(rtl)
        .tap(300, 300).sees(3, 2)  # The outer thirds turn, the middle shows and hides the bar.
        .tap(301, 300).sees(3, 2, bar=False).tap(600, 300).sees(3, 2, bar=True).tap(601, 300).sees(1),
    "thirds of a book from left to right": lambda reader: reader.open(ltr, size=(600, 900))
        .tap(401, 300).sees(2).tap(400, 300).sees(2, bar=False).tap(200, 300).sees(1),
    "a bar hidden by hand stays hidden and moves nothing": lambda reader: reader.open(rtl)
        .sees(bar=True).note(SEEN).tap(450, 300).sees(1, bar=False).gives(SEEN, NOTED)
        .advance(10_000).press("Left").sees(bar=False),
    "turning ends a zoom": lambda reader: reader.open(rtl, "#p=4")
        .note(SEEN).press("+", "+").sees(5, 4, zoomed=True).press("Down").sees(5, 4)  # Arrows move a zoomed page.
        .press("Page_Down").sees(7, 6, zoomed=False).gives(SEEN, NOTED).press("Left").sees(9, 8),
    "a double tap zooms and goes back": lambda reader: reader.open(rtl, "#p=4")
        .do("showBar(false)").tap(430, 250).advance(100)
        .tap(430, 250).sees(zoomed=True, bar=False).gives(HEIGHT, 1200, within=2).advance(1000).tap(100, 100).advance(100)
        .tap(100, 100).sees(zoomed=False),
    "a swipe turns beyond a fifth": lambda reader: reader.open(rtl, "#p=4")
        .swipe((300, 300), 0.19 * 900).lift().sees(5, 4)
        .swipe((300, 300), 0.21 * 900).gives(GAPS, [20, 20, 20], within=0.01).lift().sees(7, 6)
        .swipe((300, 300), -60, steps=2, rest=10).lift().sees(5, 4)  # A quick one turns, however short.
        .press("Home").swipe((800, 300), -600).lift().sees(1),  # Nothing is before the first page.
    "a wide page is moved before it turns": lambda reader: reader.open(landscape, size=(500, 800))
        .do("choose('fit', 'height')").gives("$page().left", 0)
        .swipe((350, 400), -300).lift().sees(1).gives("$page().left", -300)
        .swipe((350, 400), -300).lift().sees(1).gives("$page().left", -500)
        .swipe((350, 400), -300).lift().sees(2).gives("$page().left", 0)
        .advance(300).do("$wheel(100, 0)").gives("$page().left", -100),
    "a flick on a trackpad turns once": lambda reader: reader.open(rtl, touch=False)
        .advance(1000).do("$glide()").sees(3, 2).advance(300).do("$wheel(0, 120)").sees(5, 4)
        .advance(300).do("$wheel(0, 120)").sees(7, 6)
        .advance(300).do("$wheel(-120, 30)").sees(9, 8),  # To the left, where the book goes on.
    "a flick ends at the end of a page": lambda reader: reader.open(ltr, size=(600, 400), touch=False)
        .press("d", "z").do("$glide()").sees(1).gives("$page().bottom", 400, within=0.5)
        .advance(300).do("$wheel(0, 40)").sees(2),
    "two fingers on a trackpad zoom a little": lambda reader: reader.open(ltr, touch=False)
        .do("for (let count = 0; count < 5; count++) $wheel(0, -2, true)").gives("zoom.z", 1.105, within=0.001)
        .do("$wheel(30, 0, true)").gives("zoom.z", 1.105, within=0.001)  # Across they zoom nothing.
        .do("$wheel(0, -120, true)").gives("zoom.z", 1.2 * 1.105, within=0.002),
    "strips zoom no farther than the screen": lambda reader: reader.open(ltr, touch=False)
        .press("w", "+", "+", "+", "+").gives(STRIP_WIDTH, 900).press("-").gives(STRIP_WIDTH, 720)
        .do("choose('layout', 'panorama')").press("+", "+").gives(STRIP_WIDTH, 409).press("-").gives(STRIP_WIDTH, 327),
    "a mouse that is let go over the bar is let go": lambda reader: reader.open(ltr, touch=False)
        .press("w").do("showBar(true)").drag((450, 300), 0, -290).gives("[pointers.size, press]", [0, None]),
    "the loupe goes with its page": lambda reader: reader.open(ltr, touch=False)
        .do("choose('layout', 'single')").press("l").sees(loupe=True).do("goTo(3)").frames(3).sees(loupe=False)
        .press("l").sees(loupe=True).do("turn(1)").frames(3).sees(loupe=False).do("choose('layout', 'webtoon')").frames(3)
        .press("l").sees(loupe=True).do(SCROLL_DOWN).frames(3).sees(loupe=False),
    "keys that are held move and choose nothing": lambda reader: reader.open(ltr, "#p=2", touch=False)
        .do("[...'bwdr'].forEach($hold)").gives("[mark.bookmarks.length, layout, settings.direction]", [0, "spread", "ltr"])
        .do("$hold('ArrowRight')").sees(4, 5)
        .do("byId('slider').focus()").press("b").gives("mark.bookmarks.map(({page}) => page)", [3]),
})

chromium_tests({
    "the ends are told": lambda reader: reader.open(rtl)
        .advance(400).tap(700, 300).sees(1).advance(400).sees(live="This is the first page.").press("End", "Left").sees(12)
        .advance(400).sees(live="This is the last page.").press("Right").advance(299).sees(live="This is the last page.")
        .advance(1).sees(live="Pages 10 and 11 of 12"),
    "the bar goes after three seconds in which nobody uses it": lambda reader: reader.open(rtl)
        .advance(2900).sees(bar=True).advance(200).sees(bar=False).press("Tab").advance(5000).sees(bar=True, focus="bookmark")
        .do("stage.focus()").advance(2900).sees(bar=True).advance(200).sees(bar=False)
        .press("m", "h").advance(5000).sees(bar=True).press("Escape").advance(3100).sees(bar=False),
    "a zoomed page turns by no tap": lambda reader: reader.open(rtl, "#p=4")
        .pinch((450, 300), 100, 200).lift().advance(400).gives(HEIGHT, 1200, within=2).tap(100, 300).sees(5, 4, zoomed=True),
    "a tap during a pinch or just after it does nothing": lambda reader: reader.open(rtl, "#p=4")
        .pinch((450, 300), 100, 100).touch("Start", (400, 300), (500, 300), (100, 300)).advance(20)
        .touch("Move", (400, 300), (500, 300)).lift().sees(5, 4).advance(200).tap(100, 300).sees(5, 4)
        .advance(301).tap(100, 300).sees(7, 6),
    "zoom has a limit": lambda reader: reader.open(rtl)  # Five times a small page, and two pixels of the window for one of a large page.
        .pinch((225, 300), 8, 400).lift().pinch((225, 300), 8, 400).lift().pinch((225, 300), 8, 400).lift()
        .advance(400).gives(HEIGHT, 5 * 600, within=3)
        .open(large).pinch((225, 300), 8, 400).lift().pinch((225, 300), 8, 400).lift().pinch((225, 300), 8, 400).lift()
        .advance(400).gives(HEIGHT, 2 * 4400, within=3),
    "a touch that is taken away takes the loupe with it": lambda reader: reader.open(rtl, "#p=4")
        .touch("Start", (450, 300)).advance(500).sees(loupe=True).touch("Cancel").wait("!pointers.size").sees(loupe=False),
    "the wheel turns once a notch": lambda reader: reader.open(rtl, touch=False)
        .advance(1000).turn_wheel(120).sees(3, 2).advance(249).turn_wheel(120).sees(3, 2).advance(1).turn_wheel(120).sees(5, 4)
        .turn_wheel(-120, ctrl=True).gives(HEIGHT, 720, within=1),
    "the first touch shows the gestures once": lambda reader: reader.open(rtl, new=True)
        .tap(100, 300).sees(1, dialog="gestures").gives("$texts('#gestures p')", ["Back", "Menu", "Next"])
        .gives("$boxes('#gestures p').map(([left]) => left)", [600, 300, 0], within=5)
        .tap(100, 300).sees(1, dialog=None).advance(400).tap(100, 300).sees(3, 2)
        .open(ltr, keep=True).tap(700, 300).sees(2, 3, dialog=None),
})


@test
def the_loupe_stays_on_the_screen(reader):
    def share(box, x, y):
        left, top, right, bottom = box
        return [(x - left) / (right - left), (y - top) / (bottom - top)]

    reader.open(rtl, "#p=4").do("showBar(false)")
    for x, y in [(2, 2), (897, 2), (2, 597), (897, 597), (450, 300)]:
        reader.touch("Start", (x, y)).advance(499).sees(loupe=False).advance(1).sees(loupe=True)
        [left, top, right, bottom], copy, page = (reader.run("return $boxes(arguments[0])[0]", selector) for selector in BOXES)
        compare([min(left, top, 900 - right, 600 - bottom) >= 0, round(right - left)], [True, 280])
        # Away from the finger, so that it hides nothing of the part under it, which is in the middle.
        compare(max(left - x, x - right, top - y, y - bottom) >= 23, True)
        compare(share(copy, (left + right) / 2, (top + bottom) / 2), share(page, x, y), within=0.01)
        reader.lift().sees(5, 4, loupe=False)
