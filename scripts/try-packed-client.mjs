// Uses `thingsync-client` as an application does that has installed the package. The caller copies this file into the
// folder of the installation and starts it there: BASE_URL CLIENT_ID CLIENT_SECRET USER_NAME PASSWORD.
import { ok, strictEqual } from 'node:assert'
import { createClient, createMemoryLocalStore, createMemoryTokenStorage, createReplica } from 'thingsync-client'

const [baseUrl, clientId, clientSecret, user, password] = process.argv.slice(2)
const client = createClient({ baseUrl, clientId, clientSecret, tokens: createMemoryTokenStorage() })
await client.signIn(user, password)
const replica = await createReplica({ client, store: createMemoryLocalStore() })
const id = await replica.create({ title: 'Grüße aus dem Paket' })
const { sent } = await replica.sync()
const { things } = await client.sync()
const _id = await replica.resolveId(id)

strictEqual(sent, 1)
ok(things?.changed?.some((thing) => thing._id === _id && thing.title === 'Grüße aus dem Paket'))
await replica.remove(id)
await replica.sync()
ok(await client.signOut())
console.log('the packed client works')
