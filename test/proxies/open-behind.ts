import { pino } from 'pino'
import { addApp } from '../../src/accounts/apps.ts'
import { addUser } from '../../src/accounts/users.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openServer } from '../../src/http/server.ts'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { enrollDevice } from '../support/test-device.ts'

/** A server behind a proxy, with an app and the users anna and bert, whose password is `correct horse`. */
export interface Behind {
  readonly clientId: string
  readonly clientSecret: string
  /** An access token of anna. */
  readonly token: string
  /** One of bert, who changes nothing. */
  readonly quietToken: string
  /** What it logged: the messages. */
  readonly lines: readonly string[]
  readonly close: () => Promise<void>
}

/** Opens a server as the samples say: at a Unix socket, or at a port with its proxy trusted. */
export const openBehind = async (
  at: string,
  baseUrl: string,
  more: { readonly authHeader?: string } = {},
): Promise<Behind> => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const store = await openMemoryStore({ form: thingForm })
  const listening = at.startsWith('/')
    ? { host: '', port: 0, socket: { path: at, mode: 0o660 }, trustProxy: [] }
    : { host: '127.0.0.1', port: Number(at.split(':')[1]), trustProxy: ['127.0.0.1'] }
  const settings = {
    ...listening,
    baseUrl,
    maxBodyBytes: 32 * 2 ** 20,
    requestTimeoutSeconds: 60,
    corsOrigins: [],
    web: true,
    ...more,
  }
  const server = await openServer({ store, log, settings })
  for (const name of ['anna', 'bert']) await addUser(store, { name, password: 'correct horse' }, systemEnvironment)
  const { clientId, clientSecret } = await addApp(store, 'tests', systemEnvironment)
  return {
    clientId,
    clientSecret,
    token: await enrollDevice(store, 'anna', clientId, systemEnvironment),
    quietToken: await enrollDevice(store, 'bert', clientId, systemEnvironment),
    lines,
    close: async () => {
      await server.close()
      await store.close()
    },
  }
}
