"""Every operation once, with the installed package: the code samples of the API reference and of the README."""

# sample: imports
from thingsync_client import Configuration, SyncRequest, ThingCreate, ThingsyncApi
from thingsync_client import DeviceRegistration, DeviceRemoval, ThingAddition, ThingChange, ThingDeletion
from thingsync_client import SessionRevocation, TokenRevocation, Webhook
from thingsync_wire import WireClient
# end

# sample: grantToken
app = {"client_id": "app1", "client_secret": "s3cret"}

def open_api(access_token=None):
    return ThingsyncApi(WireClient(Configuration(host="http://127.0.0.1:8484/v1", access_token=access_token)))

pair = open_api().grant_token(grant_type="password", username="anna", password="correct horse", **app)
api = open_api(pair.access_token)
# end
# sample: getTest
user_name = api.get_test().user
# end
print("signed in as", user_name)
# sample: getSync
first = api.get_sync()
for thing in first.things.changed if first.things and first.things.changed else []:
    print(thing.title)
# end
# sample: postSync
new_thing = [ThingCreate(local_id="n1", title="Buy milk")]
response = api.post_sync(SyncRequest(var_from=first.pos, new_thing=new_thing))
thing_id = response.things.new["n1"]
# end
# sample: addThing
added = api.add_thing(ThingAddition(title="Call Bert", tags="phone", url="https://example.com/"))
# end
print("added", added.title, added.url)
# sample: changeThing
changed = api.change_thing(ThingChange(id=thing_id, title="Buy oat milk"))
# end
print("changed", changed.title)
# sample: getThings
things = api.get_things(archived="include", tag="phone")
# end
print("listed", *[thing.title for thing in things])
# sample: previewLink
preview = api.preview_link(url="https://page.example.com/")
# end
print("title", preview.title)
# sample: getTags
counts = api.get_tags()
# end
print("tags", *counts.other)
# sample: getUser
user = api.get_user()
# end
print("things", user.thing_count)
# sample: paging
skip, total = 0, 1
while skip < total:
    page = api.get_sync(var_from=first.pos, skip=skip, limit=500)
    total, skip = page.thing_count or 0, skip + 500
# end
print("paged", total)
# sample: deleteThing
deleted = api.delete_thing(ThingDeletion(id=thing_id))
# end
print("deleted", deleted.deleted_thing == thing_id)
# sample: registerWebhook
registered = api.register_webhook(Webhook(target_url="https://hooks.example.org/", event="any"))
# end
print("hook", registered.registered)
# sample: listWebhooks
hooks = api.list_webhooks()
# end
print("hooks", len(hooks))
# sample: unregisterWebhook
api.unregister_webhook(Webhook(target_url="https://hooks.example.org/", event="any"))
# end
# sample: getDeviceKey
key = api.get_device_key().key
# end
print("key", len(key))
# sample: registerDevice
api.register_device(DeviceRegistration(
    type="webpush", id="phone", endpoint="https://push.example.org/x", p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth="BTBZMqHH6r4Tts7J_aSIgg"))
# end
# sample: listDevices
devices = api.list_devices()
# end
print("devices", len(devices))
# sample: unregisterDevice
api.unregister_device(DeviceRemoval(type="webpush", id="phone"))
# end
# sample: refresh
pair = open_api().grant_token(grant_type="refresh_token", refresh_token=pair.request_token, **app)
api = open_api(pair.access_token)
# end
print("refreshed as", api.get_test().user)
open_api().grant_token(grant_type="password", username="anna", password="correct horse", **app)
# sample: listSessions
sessions = api.list_sessions()
# end
print("sessions", len(sessions))
# sample: revokeSession
for session in sessions:
    if not session.current:
        api.revoke_session(SessionRevocation(id=session.id))
# end
print("left", len(api.list_sessions()))
# sample: revokeToken
api.revoke_token(TokenRevocation(token=pair.request_token, **app))
# end
