"""Hoc Mazarin for two or three people who trust nobody."""

__version__ = "0.1.0"
