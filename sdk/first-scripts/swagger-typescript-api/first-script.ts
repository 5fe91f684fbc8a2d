import { Api } from './client/api'

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD } = process.env
const app = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }

const { token, sync, setSecurityData } = new Api<string>({
  baseUrl: BASE_URL,
  securityWorker: (accessToken) =>
    accessToken === null ? {} : { headers: { Authorization: `Bearer ${accessToken}` } },
})
const { data: tokens } = await token.grantToken({
  grant_type: 'password',
  ...app,
  username: USERNAME,
  password: PASSWORD,
})
setSecurityData(tokens.access_token)

const { data: uploaded } = await sync.postSync({ from: 0, new_thing: [{ local_id: 'n1', title: 'Buy milk 🥛' }] })
const id = uploaded.things?.new?.n1 ?? ''
console.log(`created ${id}`)

const { data: listing } = await sync.getSync()
for (const thing of listing.things?.changed ?? []) console.log(`listed ${thing.title}`)

await sync.postSync({ from: listing.pos, changed_thing: [{ _id: id, title: 'Buy oat milk' }] })
const { data: changes } = await sync.getSync({ from: listing.pos })
for (const thing of changes.things?.changed ?? []) console.log(`changed ${thing.title}`)

await sync.postSync({ from: changes.pos, deleted_thing: [id] })
const { data: deletion } = await sync.getSync({ from: changes.pos })
for (const deleted of deletion.things?.deleted ?? []) console.log(`deleted ${deleted}`)

const { data: renewed } = await token.grantToken({
  grant_type: 'refresh_token',
  ...app,
  refresh_token: tokens.request_token,
})
setSecurityData(renewed.access_token)
const { data: last } = await sync.getSync({ from: deletion.pos })
console.log(`position ${last.pos}`)
