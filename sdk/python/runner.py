"""Makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers each with a line."""

import json
import sys

import thingsync_client as sdk
import urllib3
from thingsync_wire import WireClient

BODIES = {
    "revokeToken": ("revoke_token", sdk.TokenRevocation),
    "postSync": ("post_sync", sdk.SyncRequest),
    "addThing": ("add_thing", sdk.ThingAddition),
    "changeThing": ("change_thing", sdk.ThingChange),
    "deleteThing": ("delete_thing", sdk.ThingDeletion),
    "registerDevice": ("register_device", sdk.DeviceRegistration),
    "unregisterDevice": ("unregister_device", sdk.DeviceRemoval),
    "registerWebhook": ("register_webhook", sdk.Webhook),
    "unregisterWebhook": ("unregister_webhook", sdk.Webhook),
}
PARAMETERS = {
    "grantToken": "grant_token",
    "getSync": "get_sync",
    "getTest": "get_test",
    "getUser": "get_user",
    "getTags": "get_tags",
    "getThings": "get_things",
}


def as_json(value):
    if isinstance(value, list):
        return [as_json(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def read_error(text):
    try:
        return json.loads(text or "")
    except ValueError:
        return text or ""


def prepare_call(name, given):
    """The method of the API, its positional and its named arguments."""
    if name in PARAMETERS:
        # `from` is a word of Python, so the generated parameter has another name.
        return PARAMETERS[name], [], {"var_from" if key == "from" else key: value for key, value in given.items()}
    method, model = BODIES[name]
    return method, [model.from_dict(given)], {}


def answer(request):
    configuration = sdk.Configuration(host=request["base_url"])
    if "token" in request:
        configuration.access_token = request["token"]
    with WireClient(configuration, **request["wire"]) as client:
        try:
            method, positional, named = prepare_call(request["call"], request["with"])
            call = getattr(sdk.ThingsyncApi(client), method)
        except Exception as error:
            return {"failure": repr(error)}
        try:
            return {"value": as_json(call(*positional, **named))}
        except sdk.ApiException as error:
            return {"status": error.status, "error": read_error(error.body)}
        except urllib3.exceptions.HTTPError as error:
            return {"failure": repr(error), "kind": "network"}
        except ValueError as error:  # JSON that cannot be read, or that lacks members
            return {"failure": repr(error), "kind": "unexpected_response"}
        except Exception as error:  # whatever else goes wrong is what the scenario has to show
            return {"failure": repr(error)}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
