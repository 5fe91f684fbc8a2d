import { join } from 'node:path'
import { pino } from 'pino'
import { addApp, addUser, openJsonFileStore, openServer, systemWorld, thingForm } from '../../src/index.ts'

/** A server that is to be judged, and what exists on it. */
export interface JudgedServer {
  readonly baseUrl: string
  readonly accessToken: string
  readonly credentials: Readonly<Record<'client_id' | 'client_secret' | 'username' | 'password', string>>
  readonly thingIds: readonly string[]
  /** Sessions beside the one that the access token is of. */
  readonly sessionIds: readonly string[]
  readonly close: () => Promise<void>
}

/** Opens the server on JSON files in a folder, with one user, one app, a session and things. The caller closes it. */
export const openJudgedServer = async (folder: string): Promise<JudgedServer> => {
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openJsonFileStore({ folder: join(folder, 'data'), form: thingForm, now: systemWorld.now })
  const user = { name: 'anna', password: 'correct horse' }
  await addUser(store, user, systemWorld)
  const { clientId, clientSecret } = await addApp(store, 'schemathesis', systemWorld)
  const settings = {
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 33_554_432,
    requestTimeoutSeconds: 60,
    corsOrigins: [],
    // Attempts are limited per address; the judge comes from many.
    trustProxy: ['loopback'],
  }
  const server = await openServer({ store, settings, log })
  const names = { username: user.name, password: user.password }
  const credentials = { client_id: clientId, client_secret: clientSecret, ...names }
  const accessToken = await signIn(server.baseUrl, credentials)
  return {
    baseUrl: server.baseUrl,
    accessToken,
    credentials,
    thingIds: await addThings(server.baseUrl, accessToken),
    sessionIds: await addSessions(server.baseUrl, credentials),
    close: async () => {
      await server.close()
      await store.close()
    },
  }
}

const signIn = async (baseUrl: string, credentials: JudgedServer['credentials']): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'password', ...credentials })
  const answer = await fetch(`${baseUrl}token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Some that may be ended; the newest, which lists them, is not among them. */
const addSessions = async (baseUrl: string, credentials: JudgedServer['credentials']): Promise<readonly string[]> => {
  const before = await listSessions(baseUrl, await signIn(baseUrl, credentials))
  for (let i = 0; i < 30; i++) await signIn(baseUrl, credentials)
  const after = await listSessions(baseUrl, await signIn(baseUrl, credentials))
  return after.filter(({ id, current }) => !current && !before.some((one) => one.id === id)).map(({ id }) => id)
}

const listSessions = async (baseUrl: string, token: string): Promise<{ id: string; current: boolean }[]> => {
  const answer = await fetch(`${baseUrl}session/list`, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as { id: string; current: boolean }[]
}

/** Enough for every case that deletes one. */
const addThings = async (baseUrl: string, token: string): Promise<readonly string[]> => {
  const things = Array.from({ length: 100 }, (_, index) => ({ local_id: index, title: 'A' }))
  const answer = await fetch(`${baseUrl}sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ new_thing: things }),
  })
  const { things: given } = (await answer.json()) as { things: { new: Record<string, string> } }
  return Object.values(given.new)
}
