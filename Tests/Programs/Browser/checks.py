"""What the reader's tests are made of: the list of them, the books that most of them read, and what they compare with."""

import functools

PAGE = (300, 440)
TESTS = []


def test(function, *browsers):
    """A test takes the reader and the books, and raises AssertionError for a fault."""
    function.browsers = browsers or ("chromium", "webkit")
    TESTS.append(function)
    return function


def in_chromium(function):
    """A test of what only chromium's driver can do: two fingers, consoles, saved files."""
    return test(function, "chromium")


def test_of(book, fragment="", browsers=(), **options):
    """A test takes the reader, with a book open in it."""
    def enter(function):
        @functools.wraps(function)
        def opened(reader, books):
            reader.open(book(books), fragment, **options)
            function(reader)
        return test(opened, *browsers)
    return enter


in_chromium_of = functools.partial(test_of, browsers=["chromium"])


def equal(found, wanted, what=""):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r} is not {wanted!r}")


def near(found, wanted, distance, what=""):
    if abs(found - wanted) > distance:
        raise AssertionError(f"{what}: {found!r} is not within {distance} of {wanted!r}")


def near_all(found, wanted, distance, what=""):
    for one, other in zip(found, wanted, strict=True):
        near(one, other, distance, f"{what} {found}, {wanted}")


def corners(left, top, width, height):
    """A box by its corners."""
    return left, top, left + width, top + height


def rtl(books):
    return books.book("rtl", [PAGE] * 12, "--direction", "rtl")


def ltr(books):
    return books.book("ltr", [PAGE] * 24, "--direction", "ltr")
