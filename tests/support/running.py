"""Tests that are coroutines."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, Final, ParamSpec

from hocp2p.session.loop import run_loop

Arguments = ParamSpec("Arguments")
SOON_S: Final = 60.0


def in_loop(test: Callable[Arguments, Coroutine[Any, Any, None]]) -> Callable[Arguments, None]:
    """Runs ``test`` in an event loop of its own, and ends it where it hangs."""

    async def bounded(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        async with asyncio.timeout(SOON_S):
            await test(*args, **kwargs)

    @functools.wraps(test)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        run_loop(bounded(*args, **kwargs))

    return run
