import os

from thing_synchronisation_client import AuthenticatedClient, Client
from thing_synchronisation_client.api.thingsync import get_sync, grant_token, post_sync
from thing_synchronisation_client.models import SyncRequest, ThingCreate, ThingUpdate, TokenGrant

base_url = os.environ["BASE_URL"]
app = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
owner = {"username": os.environ["USERNAME"], "password": os.environ["PASSWORD"]}

nobody = Client(base_url=base_url)
token = grant_token.sync(client=nobody, body=TokenGrant(grant_type="password", **app, **owner))
me = AuthenticatedClient(base_url=base_url, token=token.access_token)

new_thing = ThingCreate(local_id="n1", title="Buy milk 🥛")
uploaded = post_sync.sync(client=me, body=SyncRequest(from_=0, new_thing=[new_thing]))
thing_id = uploaded.things.new["n1"]
print("created", thing_id)

listing = get_sync.sync(client=me)
for thing in listing.things.changed:
    print("listed", thing.title)

changed_thing = ThingUpdate(field_id=thing_id, title="Buy oat milk")
post_sync.sync(client=me, body=SyncRequest(from_=listing.pos, changed_thing=[changed_thing]))
changes = get_sync.sync(client=me, from_=listing.pos)
for thing in changes.things.changed:
    print("changed", thing.title)

post_sync.sync(client=me, body=SyncRequest(from_=changes.pos, deleted_thing=[thing_id]))
deletion = get_sync.sync(client=me, from_=changes.pos)
for deleted in deletion.things.deleted:
    print("deleted", deleted)

body = TokenGrant(grant_type="refresh_token", **app, refresh_token=token.request_token)
renewed = grant_token.sync(client=nobody, body=body)
again = AuthenticatedClient(base_url=base_url, token=renewed.access_token)
print("position", get_sync.sync(client=again, from_=deletion.pos).pos)
