#!/usr/bin/python3
"""Tests of Plugins/DjVuSource beside DjVuLibre's own programs: Tests/Programs/Plugins/djvu_tests.py [PROGRAM] [NAME…]

PROGRAM is jisui-source-djvu as `make plugins` builds it. JISUI_SANITIZED=1: it was built with the address sanitizer.
"""

import unittest

from djvu_books import Books, Wire
from djvu_damage import Damage
from djvu_pictures import Pictures
from djvu_words import Words

if __name__ == "__main__":
    unittest.main()
