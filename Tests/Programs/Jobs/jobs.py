#!/usr/bin/env python3
"""Whole jobs of five kinds of users, from the command to a result that other programs judge: jobs.py JISUI [NAME…]"""

import os
import sys
import unittest

import job
from archive_jobs import ArchiveJobs
from developer_jobs import DeveloperJobs
from ereader_jobs import EreaderJobs
from japanese_jobs import JapaneseJobs
from library_jobs import LibraryJobs

__all__ = ["ArchiveJobs", "DeveloperJobs", "EreaderJobs", "JapaneseJobs", "LibraryJobs"]

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    job.JISUI = os.path.abspath(sys.argv.pop(1))
    unittest.main()
