import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { Send } from '../../client/src/api.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openServer } from '../../src/http/server.ts'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import { encodeItem } from '../../src/store/record/backup-format.ts'
import type { Store } from '../../src/store/store.ts'
import { writeBackup } from '../../src/store/tools/backup.ts'
import { readBackup, restoreFolder } from '../../src/store/tools/restore.ts'
import { thingForm } from '../../src/things/thing.ts'
import { openTestServer, type TestDevice, type TestServer } from './open-test-server.ts'

/** How a data folder comes back. */
export type RestoreMethod = 'a copied folder' | 'a restored backup'

/** A server of one user that can be put back to an earlier state of itself. */
export interface RestorableServer {
  readonly server: TestServer
  readonly userName: string
  /** Carries requests to the server that runs now. */
  readonly carry: Send
  /** Makes a backup of the state now. */
  readonly backUp: () => Promise<void>
  /** Puts the backup back; only sessions that began before it go on. */
  readonly putBack: () => Promise<void>
  /** Everything that the server has now, as this device is listed it. */
  readonly listTitles: (device: TestDevice) => Promise<readonly string[]>
  /** Which `from` the listings since the last call requested, without their later pages. */
  readonly takeRequested: () => readonly number[]
}

async function* listLines(store: Store): AsyncGenerator<string, void, undefined> {
  for await (const item of store.listItems()) yield `${encodeItem(item)}\n`
}

const openStore = (folder: string) => openJsonFileStore({ folder, form: thingForm })

const readFrom = async (request: Request): Promise<number> => {
  const form = request.method === 'POST' ? new URLSearchParams(await request.clone().text()) : undefined
  return Number((form ?? new URL(request.url).searchParams).get('from') ?? 0)
}

/** Opens a server on real files, whose data folder comes back this way. */
export const openRestorableServer = async (way: RestoreMethod): Promise<RestorableServer> => {
  const parent = await mkdtemp(join(tmpdir(), 'thingsync-restored-server-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(parent, name)) as [
    string,
    string,
    string,
  ]
  const store = await openStore(data)
  const server = await openTestServer({ store })
  const { userName } = await server.openDevice()
  const { pathname } = new URL(server.baseUrl)
  let baseUrl = server.baseUrl
  let requested: number[] = []

  const carry: Send = async (request) => {
    if (new URL(request.url).pathname.endsWith('/sync')) requested.push(await readFrom(request))
    return fetch(new Request(request.url.replace(server.baseUrl, baseUrl), request))
  }
  const createdAt = Math.floor(systemEnvironment.now() / 1000)
  return {
    server,
    userName,
    carry,
    backUp: async () => {
      if (way === 'a copied folder') await cp(data, backup, { recursive: true })
      else await writeBackup({ file: backup, dataFolder: data }, listLines(store), createdAt)
    },
    putBack: async () => {
      if (way === 'a copied folder') await cp(backup, restored, { recursive: true })
      else {
        await mkdir(restored)
        await restoreFolder(restored, readBackup(backup), { now: systemEnvironment.now(), createdAt })
      }
      const next = await openStore(restored)
      onTestFinished(next.close)
      const settings = { host: '127.0.0.1', port: 0, maxBodyBytes: 4_000_000, requestTimeoutSeconds: 60 }
      const opened = await openServer({
        store: next,
        settings: { ...settings, corsOrigins: [], trustProxy: [] },
        log: pino({ level: 'silent' }),
        environment: systemEnvironment,
      })
      onTestFinished(opened.close)
      baseUrl = `http://127.0.0.1:${opened.port}${pathname}`
    },
    listTitles: async ({ token }) => {
      const response = await fetch(`${baseUrl}sync`, { headers: { authorization: `Bearer ${token}` } })
      const { things } = (await response.json()) as { things?: { changed?: { title: string }[] } }
      return (things?.changed ?? []).map(({ title }) => title).sort()
    },
    takeRequested: () => {
      const taken = requested
      requested = []
      return taken
    },
  }
}
