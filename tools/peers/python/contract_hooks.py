"""Hooks of schemathesis: credentials, ids that exist, and the events of streams."""
import itertools
import json
import os
import random

import schemathesis

WORLD = json.loads(os.environ["CONTRACT_WORLD"])
SECRETS = itertools.cycle(WORLD["secrets"])
CHOICE = random.Random(1)
# Of the requests with an id in their path, how many name something that exists.
KNOWN_SHARE = 0.6


@schemathesis.auth(refresh_interval=None)
class Credentials:
    """A machine may make 600 requests a minute, so several take turns."""

    def get(self, case, context):
        return next(SECRETS)

    def set(self, case, data, context):
        headers = {name: value for name, value in (case.headers or {}).items() if name.lower() != "x-api-key"}
        case.headers = {**headers, "Authorization": f"Bearer {data}"}


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.operation.method.upper() == "DELETE" or CHOICE.random() > KNOWN_SHARE:
        return
    for name in case.path_parameters or {}:
        known = WORLD["ids"].get(f"{case.operation.path.split('/')[1]}.{name}", [])
        if known:
            case.path_parameters[name] = CHOICE.choice(known)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """OpenAPI 3.1 has no keyword for the events of a stream; this is the one of 3.2."""
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            for response in operation["responses"].values():
                media = response.get("content", {}).get("text/event-stream", {})
                event = media.get("schema", {}).get("x-event-data")
                if event is not None:
                    data = {"anyOf": [{"const": "[DONE]"}, {"type": "string", "contentMediaType": "application/json", "contentSchema": event}]}
                    media["itemSchema"] = {"type": "object", "properties": {"data": data}}
