"""Dialogs and fields, as a mouse, fingers, a keyboard and an input method use them; and what is remembered."""

from checks import equal, ltr, rtl, test, test_of


def is_open(reader, dialog):
    return reader.run("return document.getElementById(arguments[0]).open", dialog)


@test_of(ltr, touch=False)
def a_dialog_is_closed_from_outside_only(reader):
    reader.press("v")
    left, top, right, _ = reader.box("#view")
    first, second = reader.boxes("#view fieldset")[:2]
    gap = (first[3] + second[1]) / 2
    reader.browser.drag((left + 10, gap), 0, 0)
    equal(is_open(reader, "view"), True, "a click beside the choices")
    reader.browser.drag(((left + right) / 2, gap), (right - left) / 2 + 30, 0)
    equal(is_open(reader, "view"), True, "a drag that ends outside")
    reader.browser.drag((left - 20, top + 50), 0, 0)
    equal(is_open(reader, "view"), False, "a click outside")


@test_of(ltr, touch=False)
def an_input_method_has_its_own_enter(reader):
    reader.press("g")
    enter = ("const field = document.getElementById('goto'); field.value = arguments[0];"
             "field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: arguments[1], bubbles: true}))")
    reader.run(enter, "１２", True)
    equal((is_open(reader, "contents"), reader.state()["pages"]), (True, [1]))
    reader.run(enter, "１２", False)
    equal((is_open(reader, "contents"), reader.settled()["pages"]), (False, [12, 13]))


@test_of(rtl, "#p=4")
def a_clip_is_given_up_by_a_tap_or_another_page(reader):
    reader.press("c")
    reader.run("location.hash = '#p=9'")
    reader.frames(3)
    equal(reader.run("return [cutting, document.getElementById('cut').hidden]"), [None, True])
    reader.press("c")
    reader.run("for (const type of ['pointerdown', 'pointerup']) {"
                       "cut.dispatchEvent(new PointerEvent(type, {pointerType: 'touch', pointerId: 1, clientX: 300, clientY: 300})); }"
                       .replace("cut.dispatch", "cut.setPointerCapture = () => {}; cut.dispatch"))
    equal(reader.run("return [cutting, mark.clips.length]"), [None, 0])


@test_of(ltr, touch=False)
def marks_keep_the_focus_in_their_list(reader):
    reader.press("b", "Right", "b", "k")
    reader.run("document.querySelector('#bookmarks input').focus()")
    reader.press("x", "Tab")
    reader.advance(1000)
    equal(reader.run("return [document.activeElement.textContent, mark.bookmarks[0].note]"), ["Remove", "x"])
    reader.press("Enter")
    equal(reader.run("return [document.activeElement.textContent, mark.bookmarks.length]"), ["Remove", 1])
    reader.press("Enter")
    equal(reader.run("return [document.activeElement.ariaLabel, mark.bookmarks.length]"), ["Close", 0])


LOAD = "return load('files.js').then(() => loadMarks(new File([JSON.stringify(arguments[0])], 'marks.json'))).then(() => toast.textContent)"


@test
def a_file_of_marks_brings_its_place_unless_pages_were_turned_since(reader, books):
    reader.open(ltr(books), touch=False)
    book = reader.run("return book.id")
    given = {"jisui": "marks", "books": [{
        "book": book, "page": 7, "read": reader.run("return Date.now() - 5000"), "settings": {"direction": "rtl"},
        "bookmarks": [{"page": 2, "note": ""}], "clips": [{"page": 2, "rect": [0, 0, 9999, 10], "note": ""}]}]}
    reader.run(LOAD, given)
    equal((reader.settled()["pages"], reader.run("return mark.clips.length")), ([9, 8], 0), "no clip of more than the page")
    reader.press("Home")
    reader.run(LOAD, given)
    equal(reader.settled()["pages"], [1], "turned since")


@test_of(ltr, touch=False)
def what_the_browser_does_not_keep_lasts_for_the_visit(reader):
    reader.run("Storage.prototype.setItem = () => { throw new Error('full'); }")
    reader.press("Right", "b")
    reader.advance(1000)
    equal(reader.run("const {page, bookmarks} = memoryOf(book.id); return [page, bookmarks.length]"), [1, 1])


@test_of(ltr, "#p=2", touch=False)
def the_browsers_own_command_prints_what_is_seen(reader):
    sheets = "return [...document.querySelectorAll('#print .part')].map(part => Number(part.dataset.page))"
    reader.run("dispatchEvent(new Event('beforeprint'))")
    equal(reader.run(sheets), [2, 3])
    reader.run("dispatchEvent(new Event('afterprint'))")
    equal(reader.run(sheets), [])
