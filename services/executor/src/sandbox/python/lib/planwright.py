"""What a program is given besides Python: the tools of its step, and where its words go."""


class ToolError(Exception):
    """A tool has failed; `code` says how."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Tools:
    """Tools by their names: `docs.search` is `tools.docs.search(query="...")`, or with one dict of arguments."""

    def __init__(self, call, names, prefix=""):
        self._call = call
        self._names = names
        self._prefix = prefix

    def __getattr__(self, name):
        path = self._prefix + name
        if path in self._names:
            return lambda args=None, **named: self._call(path, {**(args or {}), **named})
        if any(known.startswith(path + ".") for known in self._names):
            return Tools(self._call, self._names, path + ".")
        known = ", ".join(self._names) or "none"
        raise ToolError("unknown_tool", f"there is no tool {path}; there are: {known}")


class Output:
    """Where `print` writes."""

    def __init__(self, write):
        self._write = write

    def write(self, text):
        self._write(text)
        return len(text)

    def flush(self):
        pass
