import { Configuration, ThingsyncApi } from './client/index'

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env

const open = new ThingsyncApi(new Configuration({ basePath: BASE_URL }))
const { data: token } = await open.grantToken('password', CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD)
const api = new ThingsyncApi(new Configuration({ basePath: BASE_URL, accessToken: token.access_token }))

const { data: uploaded } = await api.postSync({ from: 0, new_thing: [{ local_id: 'n1', title: 'Buy milk 🥛' }] })
const id = uploaded.things?.new?.n1 ?? ''
console.log(`created ${id}`)

const { data: listing } = await api.getSync()
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await api.postSync({ from: listing.pos, changed_thing: [{ _id: id, title: 'Buy oat milk' }] })
const { data: changes } = await api.getSync(listing.pos)
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await api.postSync({ from: changes.pos, deleted_thing: [id] })
const { data: deletion } = await api.getSync(changes.pos)
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

const { data: renewed } = await open.grantToken(
  'refresh_token',
  CLIENT_ID,
  CLIENT_SECRET,
  undefined,
  undefined,
  token.request_token,
)
const again = new ThingsyncApi(new Configuration({ basePath: BASE_URL, accessToken: renewed.access_token }))
const { data: last } = await again.getSync(deletion.pos)
console.log(`position ${last.pos}`)
