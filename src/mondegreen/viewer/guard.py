"""Access control: only this machine, or whoever has the token; and security headers."""

from __future__ import annotations

import hmac
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_OWN_SITES = ("same-origin", "none")  # none: typed into the address bar, or a bookmark
_COOKIE = "mondegreen"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "media-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Rejects other hosts (DNS rebinding) and other pages, checks the token, sets headers.

    Other pages are those of other origins: a browser tells by ``Sec-Fetch-Site`` and ``Origin``
    which page makes a request. Links of other pages are rejected as well, since a request that
    only reads can be made to work.

    Without a token, only requests to loopback names are answered. With a token, a request with the
    token in its address gets a cookie and is redirected to the address without the token.
    """

    def __init__(self, app: ASGIApp, token: str = "") -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or reject a request, or pass it on to the app."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        answer = self._refusal(scope)
        await (answer or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | RedirectResponse | None:
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse(
                "only GET and HEAD requests are allowed", 405, {"Allow": "GET, HEAD"}
            )
        headers = Headers(scope=scope)
        if _is_foreign(headers):
            return PlainTextResponse(
                "another page asks for this one; copy the address into the address bar", 403
            )
        if not self._token:
            host = headers.get("host", "")
            name = host[: host.rfind(":")] if ":" in host.rpartition("]")[2] else host
            if name.lower() not in _LOOPBACK:
                return PlainTextResponse(f"open this server as one of {', '.join(_LOOPBACK)}", 403)
            return None
        shown = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        if self._is_token(shown.pop("token", "")):
            rest = f"?{urlencode(shown)}" if shown else ""
            answer = RedirectResponse("/" + scope["path"].lstrip("/") + rest, 303)
            answer.set_cookie(_COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        if not self._is_token(HTTPConnection(scope).cookies.get(_COOKIE, "")):
            return PlainTextResponse("open the address that was printed, with its token", 403)
        return None

    def _is_token(self, shown: str) -> bool:
        return hmac.compare_digest(shown.encode(), self._token.encode())


def _is_foreign(headers: Headers) -> bool:
    """Return whether a page of another origin makes a request; programs name no page."""
    if any(site not in _OWN_SITES for site in headers.getlist("sec-fetch-site")):
        return True
    own = headers.get("host", "").lower()
    return any(
        origin.lower() not in (f"http://{own}", f"https://{own}")
        for origin in headers.getlist("origin")
    )
