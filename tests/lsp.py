"""A client of a language server: starts it, talks to it over its standard input and output, and keeps what it says."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any, Self

_PATIENCE = 60
"""Seconds until an answer is given up: the machine may be busy."""


class Client:
    """One server's process; settings are given to it whenever it asks."""

    def __init__(self, command: list[str], root: Path, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._process = subprocess.Popen(
            command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._incoming: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._diagnostics: dict[str, list[dict[str, Any]]] = {}
        self._count = 0
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {
            "workspace": {"configuration": True},
            "textDocument": {"hover": {"contentFormat": ["markdown"]}},
        }
        self.request("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": capabilities})
        self._notify("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def request(self, method: str, parameters: Any) -> Any:
        """What the server answers."""
        self._count += 1
        self._send({"id": self._count, "method": method, "params": parameters})
        while True:
            message = self._next()
            if message.get("id") == self._count and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]

    def open(self, path: Path, text: str) -> list[dict[str, Any]]:
        """What the server finds in a text that is said to stand in this file."""
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self._diagnostics.pop(path.as_uri(), None)
        self._notify("textDocument/didOpen", {"textDocument": document})
        while path.as_uri() not in self._diagnostics:
            self._next()
        return self._diagnostics[path.as_uri()]

    def ask(self, what: str, path: Path, line: int, character: int) -> Any:
        """What the server says of a place, counted from 0: `what` is hover or completion."""
        place = {"line": line, "character": character}
        return self.request(f"textDocument/{what}", {"textDocument": {"uri": path.as_uri()}, "position": place})

    def _next(self) -> dict[str, Any]:
        """The next message, once what it asks of us is answered."""
        message = self._incoming.get(timeout=_PATIENCE)
        assert message is not None, "the language server has ended"
        parameters = message.get("params") or {}
        if message.get("method") == "textDocument/publishDiagnostics":
            self._diagnostics[parameters["uri"]] = parameters["diagnostics"]
        elif "method" in message and "id" in message:
            asked = parameters.get("items", []) if message["method"] == "workspace/configuration" else None
            result = None if asked is None else [self._settings.get(item.get("section")) for item in asked]
            self._send({"id": message["id"], "result": result})
        return message

    def _notify(self, method: str, parameters: Any) -> None:
        self._send({"method": method, "params": parameters})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        output = self._process.stdout
        assert output is not None
        while True:
            length = 0
            while line := output.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            body = output.read(length) if length else b""
            if not body:
                self._incoming.put(None)
                return
            self._incoming.put(json.loads(body))
