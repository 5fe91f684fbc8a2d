/** Every operation once, with the installed package: the code samples of the API reference and of the README. */
// sample: imports
import { Configuration, createWire, ThingsyncApi } from 'thingsync-sdk'

// end

// sample: grantToken
const basePath = 'http://127.0.0.1:8484/v1'
const app = { client_id: 'app1', client_secret: 's3cret' }
const open = (accessToken?: string) =>
  new ThingsyncApi(new Configuration({ basePath, ...(accessToken && { accessToken }), middleware: [createWire()] }))

let pair = await open().grantToken({ grant_type: 'password', ...app, username: 'anna', password: 'correct horse' })
let api = open(pair.access_token)
// end
// sample: getTest
const { user: userName } = await api.getTest()
// end
console.log('signed in as', userName)
// sample: getSync
const first = await api.getSync({})
for (const { title } of first.things?.changed ?? []) console.log(title)
// end
// sample: postSync
const response = await api.postSync({ body: { from: first.pos, new_thing: [{ local_id: 'n1', title: 'Buy milk' }] } })
const id = response.things?.new?.n1 ?? ''
// end
// sample: addThing
const added = await api.addThing({ body: { title: 'Call Bert', tags: 'phone', url: 'https://example.com/' } })
// end
console.log('added', added.title, added.url)
// sample: changeThing
const changed = await api.changeThing({ body: { _id: id, title: 'Buy oat milk' } })
// end
console.log('changed', changed.title)
// sample: getThings
const things = await api.getThings({ archived: 'include', tag: 'phone' })
// end
console.log('listed', ...things.map(({ title }) => title))
// sample: previewLink
const preview = await api.previewLink({ url: 'https://page.example.com/' })
// end
console.log('title', preview.title)
// sample: getTags
const counts = await api.getTags({})
// end
console.log('tags', ...Object.keys(counts.other))
// sample: getUser
const user = await api.getUser()
// end
console.log('things', user.thingCount)
// sample: paging
let total = 1
for (let skip = 0; skip < total; skip += 500) {
  const page = await api.getSync({ from: first.pos, skip, limit: 500 })
  total = page.thingCount ?? 0
}
// end
console.log('paged', total)
// sample: deleteThing
const deleted = await api.deleteThing({ body: { _id: id } })
// end
console.log('deleted', deleted.deleted_thing === id)
// sample: registerWebhook
const hook = await api.registerWebhook({ body: { target_url: 'https://hooks.example.org/', event: 'any' } })
// end
console.log('hook', hook.registered)
// sample: listWebhooks
const hooks = await api.listWebhooks()
// end
console.log('hooks', hooks.length)
// sample: unregisterWebhook
await api.unregisterWebhook({ body: { target_url: 'https://hooks.example.org/', event: 'any' } })
// end
// sample: getDeviceKey
const { key } = await api.getDeviceKey()
// end
console.log('key', key.length)
// sample: registerDevice
await api.registerDevice({
  body: {
    type: 'webpush',
    id: 'phone',
    endpoint: 'https://push.example.org/x',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})
// end
// sample: listDevices
const devices = await api.listDevices()
// end
console.log('devices', devices.length)
// sample: unregisterDevice
await api.unregisterDevice({ body: { type: 'webpush', id: 'phone' } })
// end
// sample: refresh
pair = await open().grantToken({ grant_type: 'refresh_token', ...app, refresh_token: pair.request_token })
api = open(pair.access_token)
// end
console.log('refreshed as', (await api.getTest()).user)
await open().grantToken({ grant_type: 'password', ...app, username: 'anna', password: 'correct horse' })
// sample: listSessions
const sessions = await api.listSessions()
// end
console.log('sessions', sessions.length)
// sample: revokeSession
for (const { id, current } of sessions) {
  if (!current) await api.revokeSession({ body: { id } })
}
// end
console.log('left', (await api.listSessions()).length)
// sample: revokeToken
await api.revokeToken({ body: { token: pair.request_token, ...app } })
// end
