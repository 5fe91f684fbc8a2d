import { getSync, grantToken, postSync } from './client'
import { client } from './client/client.gen'

const { BASE_URL = '', CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env
const app = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }

client.setConfig({ baseUrl: BASE_URL, throwOnError: true })
const { data: token } = await grantToken({
  body: { grant_type: 'password', ...app, username: USERNAME, password: PASSWORD },
  throwOnError: true,
})
client.setConfig({ auth: token.access_token })

const { data: uploaded } = await postSync({
  body: { from: 0, new_thing: [{ local_id: 'n1', title: 'Buy milk 🥛' }] },
  throwOnError: true,
})
const id = uploaded.things?.new?.n1 ?? ''
console.log(`created ${id}`)

const { data: listing } = await getSync({ throwOnError: true })
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await postSync({
  body: { from: listing.pos, changed_thing: [{ _id: id, title: 'Buy oat milk' }] },
  throwOnError: true,
})
const { data: changes } = await getSync({ query: { from: listing.pos }, throwOnError: true })
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await postSync({ body: { from: changes.pos, deleted_thing: [id] }, throwOnError: true })
const { data: deletion } = await getSync({ query: { from: changes.pos }, throwOnError: true })
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

const { data: renewed } = await grantToken({
  body: { grant_type: 'refresh_token', ...app, refresh_token: token.request_token },
  throwOnError: true,
})
client.setConfig({ auth: renewed.access_token })
const { data: last } = await getSync({ query: { from: deletion.pos }, throwOnError: true })
console.log(`position ${last.pos}`)
