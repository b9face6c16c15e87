"""What pytest gives to the tests of plug-ins."""

import pytest

pytest.register_assert_rewrite("helpers", "djvu_case")

from helpers import Case  # noqa: E402 (it is rewritten)


@pytest.fixture
def case(tmp_path):
    return Case(tmp_path)
