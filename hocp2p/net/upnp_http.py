"""HTTP towards a router that may be anybody: bounded in time and size, no redirects. Needs ``hocp2p[upnp]``."""

from __future__ import annotations

from typing import Final

import aiohttp
from async_upnp_client.client import UpnpRequester
from async_upnp_client.const import HttpRequest, HttpResponse
from async_upnp_client.exceptions import UpnpError

MAX_BODY_BYTES: Final = 262_144
"""Of one answer; descriptions of routers have a tenth of it."""


class BoundedRequester(UpnpRequester):
    """What async-upnp-client asks through.

    Args:
        timeout_s: for each request, its answer included.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout = aiohttp.ClientTimeout(total=timeout_s)

    async def async_http_request(self, http_request: HttpRequest) -> HttpResponse:
        """Raises UpnpError for an answer that is too long, else what aiohttp raises: ClientError, TimeoutError."""
        async with (
            aiohttp.ClientSession(timeout=self._timeout, auto_decompress=False) as session,
            session.request(
                http_request.method,
                http_request.url,
                headers={**http_request.headers, "Accept-Encoding": "identity"},
                data=http_request.body,
                allow_redirects=False,  # it must not send us elsewhere
            ) as response,
        ):
            body = bytearray()
            async for chunk in response.content.iter_chunked(8192):
                body += chunk
                if len(body) > MAX_BODY_BYTES:
                    raise UpnpError(message=f"an answer of more than {MAX_BODY_BYTES} bytes")
            return HttpResponse(response.status, dict(response.headers), body.decode("utf-8", "replace"))
