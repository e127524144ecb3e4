"""How schemathesis writes JSON lines, the body of imports: any text, as it is."""

import json

import schemathesis


@schemathesis.serializer("application/jsonl")
def lines(_, value):
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")
