"""A small server of chat completions for tests: it calls the first tool with what it hears."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Reply = tuple[int, dict[str, str], bytes]
"""Status, headers, content."""
Answer = Callable[[dict[str, Any]], Reply]


def completion(name: str | None, arguments: str = "{}", text: str | None = None) -> bytes:
    """Return a response with one call, or with a text."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if name is not None:
        call = {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
        message["tool_calls"] = [call]
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return json.dumps({"choices": [{"message": message}], "usage": usage}).encode()


def last_city(body: dict[str, Any]) -> Reply:
    """Call the first tool with the first city that the user names: a model that is easily stale."""
    said = body["messages"][-1]["content"].lower()
    found = re.search(r"\b(boston|denver|orlando|atlanta|chicago)\b", said)
    name = body["tools"][0]["function"]["name"]
    if found is None:
        return 200, {}, completion(None, text="Which city do you mean?")
    return 200, {}, completion(name, json.dumps({"city": found[0].capitalize()}))


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Print nothing: clients end requests whose answers they no longer need."""


@contextmanager
def serving(answer: Answer = last_city) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Run a server; yields its base URL and the list of the requests that it gets."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(length))
            requests.append({**body, "path": self.path, "headers": dict(self.headers)})
            status, headers, content = answer(body)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = _QuietServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
