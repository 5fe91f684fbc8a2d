import { getSync, grantToken, postSync } from './client/thingsync'
import { signIn } from './send'

const { CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env
const app = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }

// Every status has a type of its own; send.ts throws for all but 200.
function read<T extends { status: number; data: unknown }>(response: T): Extract<T, { status: 200 }>['data'] {
  return response.data as Extract<T, { status: 200 }>['data']
}

const token = read(await grantToken({ grant_type: 'password', ...app, username: USERNAME, password: PASSWORD }))
signIn(token.access_token)

const uploaded = read(await postSync({ from: 0, new_thing: [{ local_id: 'n1', title: 'Buy milk 🥛' }] }))
const id = uploaded.things?.new?.n1 ?? ''
console.log(`created ${id}`)

const listing = read(await getSync())
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await postSync({ from: listing.pos, changed_thing: [{ _id: id, title: 'Buy oat milk' }] })
const changes = read(await getSync({ from: listing.pos }))
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await postSync({ from: changes.pos, deleted_thing: [id] })
const deletion = read(await getSync({ from: changes.pos }))
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

signIn(undefined)
const renewed = read(await grantToken({ grant_type: 'refresh_token', ...app, refresh_token: token.request_token }))
signIn(renewed.access_token)
const last = read(await getSync({ from: deletion.pos }))
console.log(`position ${last.pos}`)
