"""Fingers, mouse and wheel: turning, the bar, zooming, the loupe."""

from checks import PAGE, equal, in_chromium, in_chromium_of, ltr, near, near_all, rtl, test, test_of


@test_of(rtl)
def thirds_of_a_book_from_right_to_left(reader):
    equal(reader.tap(300, 300)["pages"], [3, 2], "x = w/3 turns on")
    state = reader.tap(301, 300)
    equal((state["pages"], state["bar"]), ([3, 2], False), "x = w/3 + 1 hides the bar")
    equal(reader.tap(600, 300)["bar"], True, "x = 2w/3 shows it")
    equal(reader.tap(601, 300)["pages"], [1], "x > 2w/3 turns back")


@test_of(ltr, size=(600, 900))
def thirds_of_a_book_from_left_to_right(reader):
    equal(reader.tap(401, 300)["pages"], [2])
    state = reader.tap(400, 300)
    equal((state["pages"], state["bar"]), ([2], False))
    equal(reader.tap(200, 300)["pages"], [1])


@in_chromium_of(rtl)
def the_ends_are_told(reader):
    reader.advance(400)
    equal(reader.tap(700, 300)["pages"], [1])
    reader.advance(400)
    equal(reader.state()["live"], "This is the first page.")
    reader.press("End")
    equal(reader.press("Left")["pages"], [12])
    reader.advance(400)
    equal(reader.state()["live"], "This is the last page.")
    reader.press("Right")
    reader.advance(299)
    equal(reader.state()["live"], "This is the last page.", "announced after 300 ms")
    reader.advance(1)
    equal(reader.state()["live"], "Pages 10 and 11 of 12")


@in_chromium_of(rtl)
def the_bar_goes_after_three_seconds(reader):
    reader.advance(2900)
    equal(reader.state()["bar"], True)
    reader.advance(200)
    equal(reader.state()["bar"], False)


@in_chromium_of(rtl)
def the_bar_waits_while_it_is_used(reader):
    reader.press("Tab")
    reader.advance(5000)
    state = reader.state()
    equal((state["bar"], state["focus"]), (True, "bookmark"))
    reader.run("document.getElementById('stage').focus()")
    reader.advance(2900)
    equal(reader.state()["bar"], True)
    reader.advance(200)
    equal(reader.state()["bar"], False)
    # A dialog is a use of it, too.
    reader.press("m", "h")
    reader.advance(5000)
    equal(reader.state()["bar"], True)
    reader.press("Escape")
    reader.advance(3100)
    equal(reader.state()["bar"], False)


@test
def a_bar_hidden_by_hand_stays_hidden_and_moves_nothing(reader, books):
    before = reader.open(rtl(books))
    equal(before["bar"], True)
    after = reader.tap(450, 300)
    equal((after["bar"], after["boxes"]), (False, before["boxes"]))
    reader.advance(10_000)
    reader.press("Left")
    equal(reader.state()["bar"], False)


@in_chromium_of(rtl, "#p=4")
def zooming_suppresses_taps(reader):
    reader.pinch((450, 300), 100, 200)
    reader.lift()
    reader.advance(400)
    state = reader.state()
    near(state["boxes"][0][3] - state["boxes"][0][1], 1200, 2, "twice as high")
    equal(reader.tap(100, 300)["pages"], [5, 4], "an outer third of a zoomed page turns nothing")
    equal(reader.state()["zoomed"], True)


@in_chromium_of(rtl, "#p=4")
def a_tap_during_and_after_a_pinch_does_nothing(reader):
    reader.pinch((450, 300), 100, 100)
    reader.browser.touch("touchStart", (400, 300), (500, 300), (100, 300))
    reader.advance(20)
    reader.browser.touch("touchMove", (400, 300), (500, 300))
    reader.lift()
    equal(reader.state()["pages"], [5, 4])
    reader.advance(200)
    equal(reader.tap(100, 300)["pages"], [5, 4], "200 ms after")
    reader.advance(301)
    equal(reader.tap(100, 300)["pages"], [7, 6], "a while after")


@in_chromium
def zoom_has_a_limit(reader, books):
    for name, size, most in [("rtl", PAGE, 5 * 600), ("large", (3000, 4400), 2 * 4400)]:
        folder = rtl(books) if name == "rtl" else books.book(name, [size] * 2)
        reader.open(folder, "#p=1")
        for _ in range(3):
            reader.pinch((225, 300), 8, 400)
            reader.lift()
        reader.advance(400)
        state = reader.state()
        near(state["boxes"][0][3] - state["boxes"][0][1], most, 3, f"the most of {name}")


@test
def turning_ends_a_zoom(reader, books):
    before = reader.open(rtl(books), "#p=4")
    reader.press("+", "+")
    equal(reader.state()["zoomed"], True)
    moved = reader.press("Down")
    equal(moved["pages"], [5, 4], "arrows move the zoomed page")
    after = reader.press("Page_Down")
    equal((after["pages"], after["zoomed"]), ([7, 6], False))
    equal(after["boxes"], before["boxes"])
    equal(reader.press("Left")["pages"], [9, 8], "arrows turn again")


@test_of(rtl, "#p=4")
def a_double_tap_zooms_and_goes_back(reader):
    reader.hide_bar()
    reader.tap(430, 250)
    reader.advance(100)
    state = reader.tap(430, 250)
    equal((state["zoomed"], state["bar"]), (True, False), "zoomed, and the bar as it was")
    near(state["boxes"][0][3] - state["boxes"][0][1], 1200, 2)
    reader.advance(1000)
    reader.tap(100, 100)
    reader.advance(100)
    equal(reader.tap(100, 100)["zoomed"], False)


def shares(box, x, y):
    """Where a point is in a box, in shares of its width and height."""
    left, top, right, bottom = box
    return (x - left) / (right - left), (y - top) / (bottom - top)


@test_of(rtl, "#p=4")
def the_loupe_stays_on_the_screen(reader):
    reader.hide_bar()
    for x, y in [(2, 2), (897, 2), (2, 597), (897, 597), (450, 300)]:
        reader.browser.touch("touchStart", (x, y))
        reader.advance(499)
        equal(reader.state()["loupe"], False, "before half a second")
        reader.advance(1)
        left, top, right, bottom = reader.box("#loupe")
        equal(min(left, top, 900 - right, 600 - bottom) >= 0, True, f"at {x}, {y}: {left, top, right, bottom}")
        near(right - left, 280, 1)
        # Off the finger, so that it hides nothing.
        away = max(left - x, x - right, top - y, y - bottom)
        equal(away >= 23, True, f"{away} px away from {x}, {y}")
        # What is under the finger is what is in its middle.
        copy, page = reader.box("#loupe .page"), reader.box(".view:not([inert]) .page")
        near_all(shares(copy, (left + right) / 2, (top + bottom) / 2), shares(page, x, y), 0.01, "enlarged")
        reader.lift()
        state = reader.state()
        equal((state["loupe"], state["pages"]), (False, [5, 4]))


@in_chromium_of(rtl, "#p=4")
def a_gesture_that_is_taken_away_takes_the_loupe_with_it(reader):
    reader.browser.touch("touchStart", (450, 300))
    reader.advance(500)
    equal(reader.state()["loupe"], True)
    reader.browser.touch("touchCancel")
    equal(reader.state()["loupe"], False)


@test_of(rtl, "#p=4")
def a_swipe_turns_beyond_a_fifth(reader):
    reader.swipe((300, 300), 900 * 0.19)
    reader.lift()
    equal(reader.state()["pages"], [5, 4], "19 % springs back")
    reader.swipe((300, 300), 900 * 0.21)
    views = sorted(reader.boxes(".view"))
    for (_, _, right, _), (left, *_) in zip(views, views[1:]):
        near(left - right, 20, 0.01, "between views")
    reader.lift()
    equal(reader.state()["pages"], [7, 6], "21 % turns")
    # A quick one turns, however short.
    reader.swipe((300, 300), -60, steps=2, pause=10)
    reader.lift()
    equal(reader.state()["pages"], [5, 4])


@test_of(rtl)
def at_the_end_a_swipe_springs_back(reader):
    reader.swipe((800, 300), -600)
    reader.lift()
    equal(reader.state()["pages"], [1])


@in_chromium_of(rtl, touch=False)
def the_wheel_turns_once_a_notch(reader):

    def wheel(down, keys=0):
        reader.browser.devtools(
            "Input.dispatchMouseEvent", type="mouseWheel", x=450, y=300, deltaX=0, deltaY=down, modifiers=keys)
        reader.frames(2)
        return reader.settled()

    reader.advance(1000)
    equal(wheel(120)["pages"], [3, 2])
    reader.advance(249)
    equal(wheel(120)["pages"], [3, 2], "within 250 ms")
    reader.advance(1)
    equal(wheel(120)["pages"], [5, 4])
    state = wheel(-120, keys=2)
    near(state["boxes"][0][3] - state["boxes"][0][1], 720, 1, "with Ctrl it zooms")
