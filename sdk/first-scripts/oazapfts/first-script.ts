import { ok } from '@oazapfts/runtime'
import { defaults, getSync, grantToken, postSync } from './client/api'

const { BASE_URL = '', CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env
const app = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }

defaults.baseUrl = BASE_URL
const tokens = await ok(grantToken({ grant_type: 'password', ...app, username: USERNAME, password: PASSWORD }))
defaults.headers = { Authorization: `Bearer ${tokens.access_token}` }

const uploaded = await ok(postSync({ from: 0, new_thing: [{ local_id: 'n1', title: 'Buy milk 🥛' }] }))
const id = uploaded.things?.new?.n1 ?? ''
console.log(`created ${id}`)

const listing = await ok(getSync())
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await ok(postSync({ from: listing.pos, changed_thing: [{ _id: id, title: 'Buy oat milk' }] }))
const changes = await ok(getSync({ $from: listing.pos }))
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await ok(postSync({ from: changes.pos, deleted_thing: [id] }))
const deletion = await ok(getSync({ $from: changes.pos }))
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

defaults.headers = {}
const renewed = await ok(grantToken({ grant_type: 'refresh_token', ...app, refresh_token: tokens.request_token }))
defaults.headers = { Authorization: `Bearer ${renewed.access_token}` }
const last = await ok(getSync({ $from: deletion.pos }))
console.log(`position ${last.pos}`)
