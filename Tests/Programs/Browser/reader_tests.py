"""Reads books that jisui makes in a browser, as people do. The tests are in the folder `tests`, by topic."""

import pytest

from reader import TESTS, perform
from tests import gestures, layouts, marks, opening, shelves, text  # noqa: F401 (they enter themselves in the list)


@pytest.mark.parametrize("name", TESTS)
def test_reader(name, reader, pytestconfig):
    if pytestconfig.option.browser not in TESTS[name][1]:
        pytest.skip("needs the driver of another browser")
    perform(name, reader)
