#!/usr/bin/python3
"""Breaks the reader in one place after the other, and sees whether its tests notice.

    Tests/Programs/Browser/mutants.py JISUI FOLDER [WORD]

Makes the tests' books in FOLDER, then changes a line of the reader's files in all of them, runs the tests that are about it, and
puts the line back. Prints what went unnoticed, and exits with 1 when anything did. With WORD only those whose description has it.
"""

import pathlib
import sys

from checks import TESTS
from reader import Books, Reader, open_browser
from tests import dialogs, gestures, languages, layouts, marks, opening, returning, shelves, text, wheels  # noqa: F401 (they enter themselves in the list)

READER, STYLE, DOCUMENT = "reader.js", "reader.css", "index.html"
# By the numbers of the reader's specification: what is broken, in which file, the line and what it becomes, the tests about it.
MUTANTS = [
    ("1 a manifest asked for over file:", READER, "if (isServed) document.head", "if (true) document.head", ["opens_with_an_empty_console"]),
    ("2 a policy that lets pictures come from elsewhere", DOCUMENT, "img-src 'self' file:", "img-src 'self' file: http:", ["no_request_leaves_the_folder"]),
    ("2 a policy for scripts of others", DOCUMENT, "require-trusted-types-for 'script'; ", "", ["scripts_of_others_do_not_run"]),
    ("3 a third that is a pixel too small", READER, "at <= length / 3", "at < length / 3", ["thirds_of_a_book_from_right_to_left"]),
    ("3 a third that is a pixel too large", READER, "at > 2 * length / 3", "at >= 2 * length / 3", ["thirds_of_a_book_from_right_to_left"]),
    ("4 thirds that are not mirrored", READER, "turn(third * (isAcross && isRightToLeft() ? -1 : 1))", "turn(-third)", ["thirds_of_a_book_from_left_to_right"]),
    ("5 turning beyond the ends", READER, "next < 0 || next >= views.length", "next < -1 || next > views.length", ["the_ends_are_told"]),
    ("5 an end that is not told", READER, 'announce(step < 0 ? tr("This is the first page.") : tr("This is the last page."));', "", ["the_ends_are_told"]),
    ("6 a bar that waits too long", READER, "barTime = 3000", "barTime = 3200", ["the_bar_goes_after_three_seconds"]),
    ("6 a bar that goes too soon", READER, "barTime = 3000", "barTime = 2800", ["the_bar_goes_after_three_seconds"]),
    ("7 a bar that goes while it has the focus", READER, "isHovered || bars.some(bar => bar.contains(document.activeElement))", "isHovered", ["the_bar_waits_while_it_is_used"]),
    ("8 a bar that comes back by itself", READER, "function placeChanged() {", "function placeChanged() {\n  showBar(true);", ["a_bar_hidden_by_hand_stays_hidden_and_moves_nothing"]),
    ("8 a bar that makes room for itself", STYLE, ".with-bar .bar {", ".with-bar #stage { top: 50px; }\n.with-bar .bar {", ["a_bar_hidden_by_hand_stays_hidden_and_moves_nothing"]),
    ("9 taps that turn zoomed pages", READER, "if (isZoomed()) {\n    if (isDouble)", "if (false) {\n    if (isDouble)", ["zooming_suppresses_taps"]),
    ("10 taps right after a pinch", READER, "quietUntil === Infinity) quietUntil = performance.now() + 300", "quietUntil === Infinity) quietUntil = performance.now() + 100", ["a_tap_during_and_after_a_pinch_does_nothing"]),
    ("11 zoom without a limit", READER, "Math.max(5, 2 /", "Math.max(50, 2 /", ["zoom_has_a_limit"]),
    ("11 zoom of large pages that ends too soon", READER, "Math.max(5, 2 /", "Math.min(5, 2 /", ["zoom_has_a_limit"]),
    ("12 zoom that stays when a page is turned", READER, "  zoom.z = 1;\n  const view = shown();", "  const view = shown();", ["turning_ends_a_zoom"]),
    ("13 a loupe that leaves the screen", READER, "left = clamp(left, 0, innerWidth - size);", "", ["the_loupe_stays_on_the_screen"]),
    ("13 a loupe that stays when the finger lifts", READER, 'if (is === "loupe") hideLoupe();', "", ["the_loupe_stays_on_the_screen"]),
    ("13 a loupe that comes too soon", READER, "tapTime = 500", "tapTime = 480", ["the_loupe_stays_on_the_screen"]),
    ("14 a swipe that turns too soon", READER, "> 0.2 * stage.clientWidth", "> 0.18 * stage.clientWidth", ["a_swipe_turns_beyond_a_fifth"]),
    ("14 a swipe that turns too late", READER, "> 0.2 * stage.clientWidth", "> 0.22 * stage.clientWidth", ["a_swipe_turns_beyond_a_fifth"]),
    ("14 views that are too near", READER, "const gap = 20", "const gap = 19", ["a_swipe_turns_beyond_a_fifth"]),
    ("15 the earlier page on the wrong side", READER, "(spread.first === place) !== isRightToLeft()", "(spread.first === place) === isRightToLeft()", ["spreads_meet_in_the_middle"]),
    ("16 a turn of the screen that goes to the spread's first page", READER, "current = Math.max(0, viewOf(anchor));", "current = Math.max(0, viewOf(anchor));\n  anchor = views[current].pages[0];", ["rotation_keeps_the_page"]),
    ("16 a bar that stays when the screen is turned", READER, "if (isTurned && !isBarUsed()) showBar(false);", "", ["turning_the_screen_hides_the_bar"]),
    ("17 a wide page beside another", READER, 'kind === "wide"', 'kind === "none"', ["a_wide_page_stands_alone"]),
    ("18 a shift that is not followed", READER, "waiting !== null && !shifts.has(page)", "waiting !== null", ["a_shift_pairs_as_jisui_does"]),
    ("19 a webtoon that leaps to the page's beginning", READER, "stripLine.fraction * length - stripLine.at", "0 * length - stripLine.at", ["a_webtoon_keeps_its_row"]),
    ("20 a place that is kept under the folder's path", READER, "`jisui:1:${id}`", "`jisui:1:${location.pathname}${id}`", ["the_place_is_remembered_when_the_folder_moves"]),
    ("21 a title that is taken for markup", READER, 'byId("title").textContent = title', 'byId("title").innerHTML = title', ["a_hostile_title_stays_text"]),
    ("22 a clip that is some pixels off", READER, "cutting.from = {x: (event.clientX - left) / scale", "cutting.from = {x: 3 + (event.clientX - left) / scale", ["a_clip_is_the_exact_rectangle"]),
    ("22 clips saved with pages counted from 0", "files.js", "return {page: page + 1, size", "return {page, size", ["marks_are_saved_loaded_and_merged"]),
    ("23 a focus that nobody sees", STYLE, ":focus-visible { outline: 2px solid", ":focus-visible { outline: 0 none", ["the_whole_way_by_keyboard"]),
    ("23 Esc that does not lead to the shelf", READER, "else if (shelf) actions.shelf();", "", ["the_whole_way_by_keyboard"]),
    ("24 views that are never let go", READER, "if (!wanted.includes(place)) drop(place, view);", ";", ["many_pages_are_turned_and_few_are_held"]),
    ("24 a bound that is not kept", READER, "return rank < 2 || room >= 0;", "return true;", ["large_pages_keep_to_the_bound"]),
    ("25 storage that fails without a word", READER, "if (!storageWarned) say(", "if (false) say(", ["blocked_storage_is_told_and_the_book_is_read"]),
    ("25 storage that keeps a book from being read", READER, "  } catch {\n    return null;\n  }\n}\n\n/** Keeps a value", "  } finally {}\n}\n\n/** Keeps a value", ["blocked_storage_is_told_and_the_book_is_read"]),
    ("26 a tab that saves over what another kept", READER, "  takeFromOtherTabs();\n  remember(keyOf", "  remember(keyOf", ["two_tabs_of_a_book_keep_the_marks_of_both"]),
    ("a wheel that turns too often", READER, "now - wheeledAt < wheelTime", "now - wheeledAt < 200", ["the_wheel_turns_once_a_notch"]),
    ("words that lie beside their places", "text.js", "translate(${corner[0]}px", "translate(${corner[0] + 20}px", ["words_lie_over_their_places"]),
    ("words that can be seen on paper", STYLE, ".part svg { position", ".part .text { color: #000; }\n  .part svg { z-index: 1; position", ["printed_pages_have_their_text"]),
    ("a printed page without its words", "print.js", "overlay?.print(box)", "null", ["printed_pages_have_their_text"]),
    ("a shelf that knows one way to write a word", READER, '=> clean(text).normalize("NFKC")', "=> clean(text)", ["a_shelf_shows_sorts_and_searches_its_books"]),
    ("a cover that is not kept with its book", "offline.js", "shelf && book.picture", "false", ["a_book_of_a_shelf_is_kept_for_reading_without_a_network"]),
    ("a cover at the side", READER, " && spread.cover === undefined", "", ["spreads_meet_in_the_middle"]),
    ("an end that leads back to an earlier volume", "library.js", "collator.compare(entry.number, number) > 0", "collator.compare(entry.number, number) !== 0", ["the_end_of_a_volume_leads_on"]),
    ("a strip without an end", READER, "    reachedEnd(step);\n    return false;\n  }\n  scrollStripBy", "    return false;\n  }\n  scrollStripBy", ["the_end_of_a_volume_leads_on"]),
    ("series that are mixed", "library.js", "if (name && group.length > 1)", "if (false)", ["a_shelf_groups_series"]),
    ("a shelf with the usual title", "library.js", "const title = shelf.title || tr(", "const title = tr(", ["a_shelf_has_a_title"]),
    ("gestures that are shown each time", READER, "  common.gestures = true;\n", "", ["the_first_touch_shows_the_gestures_once"]),
    ("keys that phones do not have", READER, '(hasKeys ? key : "")', "key", ["phones_have_every_button_and_no_hints_of_keys"]),
    ("buttons that phones do not have", STYLE, "  #top { flex-wrap: wrap; }", '  #top [data-do="clip"] { display: none; }', ["phones_have_every_button_and_no_hints_of_keys"]),
    ("a text that is not translated", "library.js", 'tr("Next volume")', '"Next volume"', ["the_reader_speaks_japanese"]),
    ("a language that nobody asked for", READER, 'code === "en" || ', "", ["the_reader_speaks_japanese"]),
]


def fault_of(name, reader, books):
    """What a test finds wrong; nothing when it passes."""
    try:
        next(test for test in TESTS if test.__name__ == name)(reader, books)
    except Exception as error:
        return str(error).splitlines()[0] or type(error).__name__
    return None


def noticed(mutant, reader, books):
    """Whether one of the tests about a line notices that it was changed."""
    _, file, line, changed, tests = mutant
    whole = {path: path.read_text() for path in books.folder.glob(f"web/*/{file}")}
    for path, words in whole.items():
        # A broken reader is put into books once, and not by jisui again.
        if words.count(line) != 1:
            raise SystemExit(f"{file} has {words.count(line)} times: {line}")
        path.write_text(words.replace(line, changed))
    try:
        return any(fault_of(test, reader, books) for test in tests)
    finally:
        for path, words in whole.items():
            path.write_text(words)


def main(jisui, folder, word=""):
    books = Books(jisui, pathlib.Path(folder))
    mutants = [mutant for mutant in MUTANTS if word in mutant[0]]
    with open_browser("chromium") as browser:
        reader = Reader(browser, books.folder, None)
        used = {name for *_, names in mutants for name in names}
        for name in [test.__name__ for test in TESTS if test.__name__ in used]:
            fault = fault_of(name, reader, books)
            if fault:
                raise SystemExit(f"{name} fails without a change: {fault}")
        missed = [mutant[0] for mutant in mutants if not noticed(mutant, reader, books)]
    for what in missed:
        print(f"unnoticed: {what}")
    print(f"{len(mutants) - len(missed)} of {len(mutants)} changes were noticed")
    return 1 if missed or not mutants else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
