"""Makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers each with a line."""

import json
import os
import sys

import thingsync_client as sdk
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


def make_call(api, name, given):
    if name in PARAMETERS:
        # `from` is a word of Python, so the generated parameter has another name.
        given = {"var_from" if key == "from" else key: value for key, value in given.items()}
        return getattr(api, PARAMETERS[name])(**given)
    method, model = BODIES[name]
    return getattr(api, method)(model.from_dict(given))


def answer(request):
    configuration = sdk.Configuration(host=os.environ["BASE_URL"].rstrip("/"))
    if "token" in request:
        configuration.access_token = request["token"]
    with WireClient(configuration, **request["wire"]) as client:
        try:
            return {"value": as_json(make_call(sdk.ThingsyncApi(client), request["call"], request["with"]))}
        except sdk.ApiException as error:
            return {"status": error.status, "error": json.loads(error.body)}
        except Exception as error:  # whatever else goes wrong is what the scenario has to show
            return {"failure": repr(error)}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
