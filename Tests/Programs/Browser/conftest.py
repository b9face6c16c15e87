"""What pytest gives to the tests of the reader."""

import os
import pathlib

import pytest

from reader import reading

JISUI = os.environ.get("JISUI_UNDER_TEST", pathlib.Path(__file__).resolve().parents[3] / ".build/plain/jisui")


def pytest_addoption(parser):
    parser.addoption("--over", choices=["file", "nginx"], default="file", help="where books are opened")
    parser.addoption("--in", choices=["chromium", "webkit"], default="chromium", dest="browser", help="where they are read")


@pytest.fixture(scope="session")
def reader(pytestconfig, tmp_path_factory):
    """A reader of the books that jisui makes in a folder."""
    with reading(JISUI, tmp_path_factory.mktemp("books"), pytestconfig.option.browser, pytestconfig.option.over) as reader:
        yield reader
