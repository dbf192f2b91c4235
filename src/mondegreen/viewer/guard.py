"""Who may look: this machine alone, or whoever has the token; and what a page may do."""

from __future__ import annotations

import hmac
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
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
    """Refuses other hosts (DNS rebinding), asks for the token if there is one, sets headers.

    Without a token the server is for this machine: only names of the loopback are answered. With
    one, whoever shows it in the address gets a cookie, and the address is cleaned of it.
    """

    def __init__(self, app: ASGIApp, token: str = "") -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, refuse or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        answer = self._refusal(scope)
        await (answer or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | RedirectResponse | None:
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("only GET is answered", 405, {"Allow": "GET, HEAD"})
        headers = Headers(scope=scope)
        if not self._token:
            host = headers.get("host", "")
            name = host[: host.rfind(":")] if ":" in host.rpartition("]")[2] else host
            if name.lower() not in _LOOPBACK:
                return PlainTextResponse(f"this server answers to {', '.join(_LOOPBACK)}", 403)
            return None
        shown = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        if self._same(shown.pop("token", "")):
            rest = f"?{urlencode(shown)}" if shown else ""
            answer = RedirectResponse("/" + scope["path"].lstrip("/") + rest, 303)
            answer.set_cookie(_COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        if not self._same(HTTPConnection(scope).cookies.get(_COOKIE, "")):
            return PlainTextResponse("open the address with its token, as it was printed", 403)
        return None

    def _same(self, shown: str) -> bool:
        return hmac.compare_digest(shown.encode(), self._token.encode())
