"""Serializes JSON lines, the body of imports, for schemathesis: any text unchanged."""

import json

import schemathesis


@schemathesis.serializer("application/jsonl")
def lines(_, value):
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")
