import os

from thingsync_client import ApiClient, Configuration, SyncRequest, ThingCreate, ThingsyncApi, ThingUpdate

host = os.environ["BASE_URL"]
client = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
owner = {"username": os.environ["USERNAME"], "password": os.environ["PASSWORD"]}

token = ThingsyncApi(ApiClient(Configuration(host=host))).grant_token("password", **client, **owner)
api = ThingsyncApi(ApiClient(Configuration(host=host, access_token=token.access_token)))

uploaded = api.post_sync(SyncRequest(var_from=0, new_thing=[ThingCreate(local_id="n1", title="Buy milk 🥛")]))
thing_id = uploaded.things.new["n1"]
print("created", thing_id)

listing = api.get_sync()
for thing in listing.things.changed:
    print("listed", thing.title)

api.post_sync(SyncRequest(var_from=listing.pos, changed_thing=[ThingUpdate(_id=thing_id, title="Buy oat milk")]))
changes = api.get_sync(var_from=listing.pos)
for thing in changes.things.changed:
    print("changed", thing.title)

api.post_sync(SyncRequest(var_from=changes.pos, deleted_thing=[thing_id]))
deletion = api.get_sync(var_from=changes.pos)
for deleted in deletion.things.deleted:
    print("deleted", deleted)

renewed = api.grant_token("refresh_token", **client, refresh_token=token.request_token)
again = ThingsyncApi(ApiClient(Configuration(host=host, access_token=renewed.access_token)))
print("position", again.get_sync(var_from=deletion.pos).pos)
