# frozen_string_literal: true

# Every operation once, with the installed gem: the code samples of the API reference and of the README.

# sample: imports
require 'thingsync_wire'
include ThingsyncClient
# end

# sample: grantToken
app = { client_id: 'app1', client_secret: 's3cret' }
base = 'http://127.0.0.1:8484/v1'

pair = ThingsyncWire.open(base).grant_token('password', **app, username: 'anna', password: 'correct horse')
api = ThingsyncWire.open(base, pair.access_token)
# end
# sample: getTest
user_name = api.get_test.user
# end
puts "signed in as #{user_name}"
# sample: getSync
first = api.get_sync
# end
# sample: postSync
new_thing = [ThingCreate.new(local_id: 'n1', title: 'Buy milk')]
response = api.post_sync(SyncRequest.new(from: first.pos, new_thing: new_thing))
id = response.things.new['n1']
# end
# sample: addThing
added = api.add_thing(ThingAddition.new(title: 'Call Bert', tags: 'phone', url: 'https://example.com/'))
# end
puts "added #{added.title} #{added.url}"
# sample: changeThing
changed = api.change_thing(ThingChange.new(_id: id, title: 'Buy oat milk'))
# end
puts "changed #{changed.title}"
# sample: getThings
things = api.get_things(archived: 'include', tag: 'phone')
# end
puts "listed #{things[0].title}"
# sample: previewLink
preview = api.preview_link('https://page.example.com/')
# end
puts "title #{preview.title}"
# sample: getTags
counts = api.get_tags
# end
puts "tags #{counts.other.keys.join(' ')}"
# sample: getUser
user = api.get_user
# end
puts "things #{user.thing_count}"
# sample: paging
skip = 0
total = 1
while skip < total
  page = api.get_sync(from: first.pos, skip: skip, limit: 500)
  total = page.thing_count || 0
  skip += 500
end
# end
puts "paged #{total}"
# sample: deleteThing
deleted = api.delete_thing(ThingDeletion.new(_id: id))
# end
puts "deleted #{deleted.deleted_thing == id}"
# sample: registerWebhook
hook = api.register_webhook(Webhook.new(target_url: 'https://hooks.example.org/', event: 'any'))
# end
puts "hook #{hook.registered}"
# sample: listWebhooks
hooks = api.list_webhooks
# end
puts "hooks #{hooks.size}"
# sample: unregisterWebhook
api.unregister_webhook(Webhook.new(target_url: 'https://hooks.example.org/', event: 'any'))
# end
# sample: getDeviceKey
key = api.get_device_key.key
# end
puts "key #{key.size}"
# sample: registerDevice
push = { endpoint: 'https://push.example.org/x', p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
api.register_device(DeviceRegistration.new(type: 'webpush', id: 'phone', **push))
# end
# sample: listDevices
devices = api.list_devices
# end
puts "devices #{devices.size}"
# sample: unregisterDevice
api.unregister_device(DeviceRemoval.new(type: 'webpush', id: 'phone'))
# end
# sample: refresh
pair = ThingsyncWire.open(base).grant_token('refresh_token', **app, refresh_token: pair.request_token)
api = ThingsyncWire.open(base, pair.access_token)
# end
puts "refreshed as #{api.get_test.user}"
ThingsyncWire.open(base).grant_token('password', **app, username: 'anna', password: 'correct horse')
# sample: listSessions
sessions = api.list_sessions
# end
puts "sessions #{sessions.size}"
# sample: revokeSession
sessions.reject(&:current).each { |session| api.revoke_session(SessionRevocation.new(id: session.id)) }
# end
puts "left #{api.list_sessions.size}"
# sample: revokeToken
api.revoke_token(TokenRevocation.new(token: pair.request_token, **app))
# end
