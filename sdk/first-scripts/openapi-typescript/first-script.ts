import createClient from 'openapi-fetch'
import type { components, paths } from './client/schema'

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env
const app = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }

const api = createClient<paths>({ baseUrl: BASE_URL })
let accessToken: string | undefined
api.use({
  onRequest({ request }) {
    if (accessToken !== undefined) request.headers.set('Authorization', `Bearer ${accessToken}`)
    return request
  },
})

// openapi-fetch leaves it to the caller what an error becomes; here it ends the script.
function read<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

// A body without a content type in its header is sent as JSON; the header makes it a form.
const grant = async (body: components['schemas']['TokenGrant']) =>
  read(await api.POST('/token', { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }))
const upload = async (body: components['schemas']['SyncRequest']) => read(await api.POST('/sync', { body }))
const list = async (from?: number) => read(await api.GET('/sync', { params: { query: { from } } }))

const token = await grant({ grant_type: 'password', ...app, username: USERNAME, password: PASSWORD })
accessToken = token.access_token

const uploaded = await upload({ from: 0, new_thing: [{ local_id: 'n1', title: 'Buy milk 🥛' }] })
const id = uploaded.things?.new?.n1 ?? ''
console.log(`created ${id}`)

const listing = await list()
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await upload({ from: listing.pos, changed_thing: [{ _id: id, title: 'Buy oat milk' }] })
const changes = await list(listing.pos)
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await upload({ from: changes.pos, deleted_thing: [id] })
const deletion = await list(changes.pos)
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

accessToken = undefined
const renewed = await grant({ grant_type: 'refresh_token', ...app, refresh_token: token.request_token })
accessToken = renewed.access_token
console.log(`position ${(await list(deletion.pos)).pos}`)
