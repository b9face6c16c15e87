"""Wheels, trackpads, the sides of wide pages, and keys and buttons that stay down."""

from checks import equal, ltr, near, rtl, test, test_of

WHEEL = """
const init = {deltaX: arguments[0], deltaY: arguments[1], ctrlKey: arguments[2], clientX: 450, clientY: 300, bubbles: true, cancelable: true};
(isStrip() ? strip : stage).dispatchEvent(new WheelEvent("wheel", init));
"""


def wheel(reader, across, down, ctrl=False):
    reader.run(WHEEL, across, down, ctrl)
    return reader.state()


def glide(reader):
    """What a trackpad tells of a flick: less and less, for a second and a half."""
    reader.run(f"for (let down = 60; down > 1; down *= 0.95) {{ (function () {{ {WHEEL} }})(0, down, false); advance(16); }}")


@test_of(rtl, touch=False)
def a_glide_turns_once(reader):
    reader.advance(1000)
    glide(reader)
    equal(reader.state()["pages"], [3, 2])
    for pages in ([5, 4], [7, 6]):
        reader.advance(300)
        equal(wheel(reader, 0, 120)["pages"], pages, "a notch after the other")
    reader.advance(300)
    equal(wheel(reader, -120, 30)["pages"], [9, 8], "to the left, which is on")


@test_of(ltr, size=(600, 400), touch=False)
def a_glide_ends_at_the_end_of_a_page(reader):
    reader.press("d", "z")
    glide(reader)
    state = reader.state()
    equal((state["pages"], round(state["boxes"][0][3])), ([1], 400))
    reader.advance(300)
    equal(wheel(reader, 0, 40)["pages"], [2])


@test_of(ltr, touch=False)
def two_fingers_on_a_trackpad_zoom_a_little(reader):
    for _ in range(5):
        wheel(reader, 0, -2, True)
    near(reader.run("return zoom.z"), 1.105, 0.001, "e to the power of a tenth")
    before = reader.run("return zoom.z")
    wheel(reader, 30, 0, True)
    equal(reader.run("return zoom.z"), before, "across it zooms nothing")
    wheel(reader, 0, -120, True)
    near(reader.run("return zoom.z") / before, 1.2, 0.001, "a notch")


@test_of(ltr, touch=False)
def strips_zoom_no_farther_than_is_seen(reader):
    width = "return document.querySelector('#strip .page').offsetWidth"
    reader.press("w", "+", "+", "+", "+")
    widest = reader.run(width)
    reader.press("-")
    equal((widest, reader.run(width) < widest), (900, True))
    reader.run("choose('layout', 'panorama')")
    whole = reader.run(width)
    reader.press("+", "+", "-")
    equal(reader.run(width) < whole, True, "one step back")


@test
def a_wide_page_is_moved_before_it_turns(reader, books):
    reader.open(books.book("landscape", [(1000, 800)] * 3), size=(500, 800))
    reader.run("choose('fit', 'height')")
    equal(reader.settled()["boxes"][0][0], 0)
    for left, pages in ((-300, [1]), (-500, [1]), (0, [2])):
        reader.swipe((350, 400), -300)
        reader.lift()
        state = reader.settled()
        equal((round(state["boxes"][0][0]), state["pages"]), (left, pages))
    reader.advance(300)
    wheel(reader, 100, 0)
    equal(round(reader.state()["boxes"][0][0]), -100, "a wheel moves it, too")


@test_of(ltr, touch=False)
def a_mouse_that_is_let_go_elsewhere_is_let_go(reader):
    reader.press("w")
    reader.run("showBar(true)")
    reader.browser.drag((450, 300), 0, -290)
    equal(reader.run("return [pointers.size, press]"), [0, None])


@test_of(ltr, touch=False)
def the_loupe_goes_with_its_page(reader):
    for layout, leave in (("single", "goTo(3)"), ("single", "turn(1)"), ("webtoon", "strip.scrollBy({top: 500, behavior: 'instant'})")):
        reader.run("choose('layout', arguments[0])", layout)
        reader.frames(3)
        reader.settled()
        reader.press("l")
        equal(reader.state()["loupe"], True, leave)
        reader.run(leave)
        reader.frames(3)
        equal(reader.state()["loupe"], False, leave)


@test_of(ltr, "#p=2", touch=False)
def keys_that_are_held_move_and_choose_nothing(reader):
    held = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], repeat: true, bubbles: true, cancelable: true}))"
    for key in ("b", "w", "d", "r"):
        reader.run(held, key)
    equal(reader.run("return [mark.bookmarks.length, layout, settings.direction]"), [0, "spread", "ltr"])
    reader.run(held, "ArrowRight")
    equal(reader.state()["pages"], [4, 5])
    reader.run("document.getElementById('slider').focus()")
    reader.press("b")
    equal(reader.run("return mark.bookmarks.map(({page}) => page)"), [3], "beside the slider's own keys")
