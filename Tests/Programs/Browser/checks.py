"""What tests of the reader are: steps in a table, or functions where the steps depend on each other. And the books of most."""

import functools

from books import book

PAGE = (300, 440)
# A title that would be markup, with signs that change the direction of text.
HOSTILE = "</script><img src=x onerror=alert(1)>&amp;\u202e\u0600<b>\"'"
rtl = book("rtl", [PAGE] * 12, "--direction", "rtl")
ltr = book("ltr", [PAGE] * 24, "--direction", "ltr")
# Tests by their names: what to do with a reader, and the browsers to do it in.
TESTS = {}


class Steps:
    """Calls of a reader's methods that are written down, and made when the test runs."""

    def __init__(self, *calls):
        self.calls = calls

    def __getattr__(self, name):
        return lambda *arguments, **named: Steps(*self.calls, (name, arguments, named))

    def __call__(self, reader):
        for rank, (name, arguments, named) in enumerate(self.calls):
            try:
                getattr(reader, name)(*arguments, **named)
            except AssertionError as error:
                last = [f".{name}{arguments}" for name, arguments, _ in self.calls[max(1, rank - 3) : rank + 1]]
                raise AssertionError(f"{''.join(last)}: {error}") from None


def on(book, fragment="", **options):
    """The steps of a test that opens a book."""
    return Steps(("open", (book, fragment), options))


def tests(table, browsers=("chromium", "webkit")):
    """Adds a table of tests: their names, and their steps."""
    TESTS.update({name: (steps, browsers) for name, steps in table.items()})


def chromium_tests(table):
    """Adds tests that need what only chromium's driver has: fingers, the console, saved files."""
    tests(table, ["chromium"])


def test(function, add=tests):
    add({function.__name__.replace("_", " "): function})


chromium_test = functools.partial(test, add=chromium_tests)
