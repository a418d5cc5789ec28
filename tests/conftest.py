"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["LC_ALL"] = "C.UTF-8"  # tests read English, those that start a process, too
os.environ.pop("LANGUAGE", None)

settings.register_profile("here", deadline=None)  # tests must not depend on speed
settings.register_profile("ci", deadline=None, derandomize=True, database=None)  # a run says the same twice
settings.load_profile("ci" if os.environ.get("CI") else "here")
