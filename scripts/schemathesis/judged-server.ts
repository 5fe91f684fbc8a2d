import { join } from 'node:path'
import { pino } from 'pino'
import { addApp, addUser, openJsonFileStore, openServer, systemWorld, thingForm } from '../../src/index.ts'

/** A server that is to be judged, and the variables by which `hooks.py` learns what exists on it. */
export interface JudgedServer {
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

/** Opens the server on JSON files in a folder, with one user, one app and a session. The caller closes it. */
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
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: clientId,
    client_secret: clientSecret,
    username: user.name,
    password: user.password,
  })
  const answer = await fetch(`${server.baseUrl}token`, { method: 'POST', body })
  const { access_token } = (await answer.json()) as { access_token: string }
  return {
    baseUrl: server.baseUrl,
    credentials: {
      JUDGE_ACCESS_TOKEN: access_token,
      JUDGE_CLIENT_ID: clientId,
      JUDGE_CLIENT_SECRET: clientSecret,
      JUDGE_USERNAME: user.name,
      JUDGE_PASSWORD: user.password,
    },
    close: async () => {
      await server.close()
      await store.close()
    },
  }
}
