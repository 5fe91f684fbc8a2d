import { Configuration, ThingsyncApi } from './client/index'

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env
const app = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }

const open = new ThingsyncApi(new Configuration({ basePath: BASE_URL }))
const token = await open.grantToken({ grantType: 'password', ...app, username: USERNAME, password: PASSWORD })
const api = new ThingsyncApi(new Configuration({ basePath: BASE_URL, accessToken: token.accessToken }))

const uploaded = await api.postSync({ body: { from: 0, newThing: [{ localId: 'n1', title: 'Buy milk 🥛' }] } })
const id = uploaded.things?._new?.n1 ?? ''
console.log(`created ${id}`)

const listing = await api.getSync()
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await api.postSync({ body: { from: listing.pos, changedThing: [{ id, title: 'Buy oat milk' }] } })
const changes = await api.getSync({ from: listing.pos })
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await api.postSync({ body: { from: changes.pos, deletedThing: [id] } })
const deletion = await api.getSync({ from: changes.pos })
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

const renewed = await open.grantToken({ grantType: 'refresh_token', ...app, refreshToken: token.requestToken })
const again = new ThingsyncApi(new Configuration({ basePath: BASE_URL, accessToken: renewed.accessToken }))
const last = await again.getSync({ from: deletion.pos })
console.log(`position ${last.pos}`)
