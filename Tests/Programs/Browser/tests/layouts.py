"""What is seen at once: spreads, single pages, webtoons, panoramas, and how large."""

from checks import PAGE, corners, equal, in_chromium_of, ltr, near, near_all, rtl, test, test_of


@test
def spreads_meet_in_the_middle(reader, books):
    state = reader.open(rtl(books), "#p=4")
    equal(state["pages"], [5, 4], "the earlier page on the right")
    equal(state["boxes"][0][2], 450)
    equal(state["boxes"][1][0], 450)
    left, _, right, _ = reader.press("Home")["boxes"][0]
    near((left + right) / 2, 450, 1, "a cover stands in the middle")
    state = reader.press("End")
    equal((state["pages"], state["boxes"][0][0]), ([12], 450), "a lone last page stands on the right")
    reader.press("r")
    state = reader.press("End")
    equal((state["pages"], state["boxes"][0][2]), ([12], 450), "and from left to right on the left")


@test
def rotation_keeps_the_page(reader, books):
    state = reader.open(rtl(books), "#p=5", size=(600, 900))
    equal((state["pages"], state["layout"]), ([5], "single"))
    for _ in range(10):
        reader.resize(900, 600)
        equal(reader.settled()["pages"], [5, 4])
        reader.resize(600, 900)
        equal(reader.settled()["pages"], [5])
    # After a turn it is the first page of what is seen.
    reader.resize(900, 600)
    equal(reader.press("Left")["pages"], [7, 6])
    reader.resize(600, 900)
    equal(reader.settled()["pages"], [6])


@test
def turning_the_screen_hides_the_bar(reader, books):
    equal(reader.open(rtl(books), size=(600, 900))["bar"], True)
    reader.resize(600, 800)
    equal(reader.state()["bar"], True, "another size is no turn")
    reader.resize(900, 600)
    equal(reader.settled()["bar"], False)
    reader.press("v")
    reader.click("#pinned")
    reader.press("Escape", "m")
    reader.resize(600, 900)
    equal(reader.settled()["bar"], True, "one that is to stay stays")


@test
def a_wide_page_stands_alone(reader, books):
    folder = books.book("wide", [PAGE] * 3 + [(600, 440)] + [PAGE] * 4, "--direction", "ltr")
    reader.open(folder)
    found = [reader.press("Right")["pages"] for _ in range(4)]
    equal(found, [[2, 3], [4], [5, 6], [7, 8]])
    reader.press("Left", "Left")
    left, _, right, _ = reader.state()["boxes"][0]
    equal(left, 900 - right, "in the middle")


def all_views(reader):
    views = [reader.press("Home")["pages"]]
    while True:
        pages = reader.press("Right")["pages"]
        if pages == views[-1]:
            return views
        views.append(pages)


@test
def a_shift_pairs_as_jisui_does(reader, books):
    shifted = books.book("shifted", [PAGE] * 24, "--direction", "ltr", "--spreads", "pair", "--shift", "17")
    reader.open(shifted)
    wanted = all_views(reader)
    equal([17, 18] in wanted and [16] in wanted, True, f"{wanted}")
    reader.open(ltr(books), "#p=17")
    reader.press("o")
    equal(reader.state()["pages"], [17, 18])
    equal(all_views(reader), wanted)
    reader.open(ltr(books), keep=True)
    equal(all_views(reader), wanted, "after opening it again")


LINE = """
const strip = document.getElementById("strip").getBoundingClientRect();
const middle = strip.height / 2;
for (const page of document.querySelectorAll("#strip .page")) {
  const {top, bottom} = page.getBoundingClientRect();
  if (top <= middle && middle < bottom) return [Number(page.dataset.page), (middle - top) / (bottom - top), bottom - top];
}
"""


@test_of(ltr)
def a_webtoon_keeps_its_row(reader):
    reader.press("w")
    reader.scroll("strip.scrollTop = 7321")
    page, fraction, _ = reader.run(LINE)
    for size in [(600, 900), (500, 300), (1200, 700), (900, 600)]:
        reader.resize(*size)
        reader.advance(100)
        there, share, height = reader.run(LINE)
        equal(there, page)
        near(share * height, fraction * height, 2, f"at {size}")
    reader.advance(300)
    equal(reader.run("return anchor + 1"), page)


@in_chromium_of(ltr)
def a_webtoon_scrolls_by_taps_and_holds_what_is_near(reader):
    reader.press("w")
    reader.advance(3100)
    before = reader.run("return document.getElementById('strip').scrollTop")
    reader.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    reader.tap(450, 500)
    after = reader.run("return document.getElementById('strip').scrollTop")
    near(after - before, 540, 2, "a tap at the bottom")
    reader.frames(2)
    reader.advance(50)
    equal(reader.tap(450, 300)["bar"], False, "a tap within 100 ms of scrolling only stops it")
    reader.advance(100)
    equal(reader.tap(450, 300)["bar"], True, "a tap in the middle")
    reader.browser.devtools("Emulation.setEmulatedMedia", features=[])
    held = reader.run("return document.querySelectorAll('#strip img[src]').length")
    equal(0 < held <= 8, True, f"{held} pictures are held")


@test_of(rtl)
def a_panorama_runs_the_way_of_reading(reader):
    reader.press("Escape")
    reader.click("[data-do=view]")
    reader.click("[value=panorama]")
    reader.press("Escape")
    first, second = (left for left, *_ in reader.boxes("#strip .page")[:2])
    near(first - second, 600 * 300 / 440, 1, "page 2 lies left of page 1")
    near(first, 900 - 600 * 300 / 440, 1)
    reader.scroll("strip.scrollBy({left: -1000, behavior: 'instant'})")
    # Not the address: WebKit stops a browser that has changed it a hundred times in half a minute.
    equal(reader.run("return anchor + 1"), 4)


@test_of(ltr, size=(500, 400))
def fits_and_reading_on(reader):
    reader.press("d")
    state = reader.press("z")
    near(state["boxes"][0][2] - state["boxes"][0][0], 500, 1, "as wide as the screen")
    equal(state["boxes"][0][1], 0)
    top = reader.press(" ")["boxes"][0]
    equal((reader.state()["pages"], round(top[3])), ([1], 400), "first to the end of the page")
    equal(reader.press(" ")["pages"], [2])
    back = reader.press("Page_Up")
    equal((back["pages"], round(back["boxes"][0][3])), ([1], 400), "back to the end of the one before")
    state = reader.press("z")
    near(state["boxes"][0][3] - state["boxes"][0][1], 400, 1, "as high as the screen")
    state = reader.press("z")
    near(state["boxes"][0][2] - state["boxes"][0][0], 300, 1, "pixel by pixel")


@test
def crops_are_shown_over_untouched_pictures(reader, books):
    folder = books.book("cropped", [PAGE] * 2, "--crop", "40,30,20,50")
    state = reader.open(folder, size=(600, 900))
    left, top, right, bottom = state["boxes"][0]
    scale = (right - left) / 220
    near((bottom - top), 380 * scale, 1)
    near_all(reader.box(".view:not([inert]) img"), corners(left - 50 * scale, top - 40 * scale, 300 * scale, 440 * scale), 1)
    baked = books.book("baked", [PAGE] * 2, "--crop", "40,30,20,50", "--bake")
    state = reader.open(baked, size=(600, 900))
    equal(reader.run("const image = document.querySelector('.view:not([inert]) img'); return [image.naturalWidth, image.naturalHeight]"),
          [220, 380])
