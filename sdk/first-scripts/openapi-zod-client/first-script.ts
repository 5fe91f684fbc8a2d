import axios from 'axios'
import { createApiClient } from './client/thingsync'

const { BASE_URL = '', CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env
const app = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }

const open = createApiClient(BASE_URL)
const connect = (token: string) =>
  createApiClient(BASE_URL, { axiosInstance: axios.create({ headers: { Authorization: `Bearer ${token}` } }) })

const token = await open.grantToken({ grant_type: 'password', ...app, username: USERNAME, password: PASSWORD })
const api = connect(token.access_token)

const uploaded = await api.postSync({ from: 0, new_thing: [{ local_id: 'n1', title: 'Buy milk 🥛' }] })
const id = uploaded.things?.new?.n1 ?? ''
console.log(`created ${id}`)

const listing = await api.getSync()
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await api.postSync({ from: listing.pos, changed_thing: [{ _id: id, title: 'Buy oat milk' }] })
const changes = await api.getSync({ queries: { from: listing.pos } })
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await api.postSync({ from: changes.pos, deleted_thing: [id] })
const deletion = await api.getSync({ queries: { from: changes.pos } })
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

const renewed = await open.grantToken({ grant_type: 'refresh_token', ...app, refresh_token: token.request_token })
const last = await connect(renewed.access_token).getSync({ queries: { from: deletion.pos } })
console.log(`position ${last.pos}`)
