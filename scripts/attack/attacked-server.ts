import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addPublicClient } from '../../src/accounts/apps.ts'
import { openBrowserSession } from '../../src/accounts/session-management.ts'
import { describeOrigin } from '../../src/accounts/sessions.ts'
import { addPersonalToken } from '../../src/accounts/token-grants.ts'
import { addApp, addUser, openJsonFileStore, systemEnvironment } from '../../src/index.ts'

/** An app that the attackers use. */
export interface AttackApp {
  readonly clientId: string
  readonly clientSecret?: string
  readonly redirectUri: string
}

/** The credentials and data in the data folder at the start of the server. */
export interface Enrollment {
  /** A confidential client, then a public client. */
  readonly apps: readonly [AttackApp, AttackApp]
  /**
   * Tokens and cookie secrets that replace the ones that the attack ends. Signing in again each time would cost more
   * than the attack.
   */
  readonly reserves: ReadonlyMap<string, { readonly tokens: string[]; readonly cookies: string[] }>
  /** Personal access tokens of `reader`, which may only read. The last one is for the comparison at the end. */
  readonly readOnlyTokens: readonly string[]
  /** Ids of users and apps that no administrator of the attack may change, because the attack needs them. */
  readonly protectedIds: readonly string[]
}

/** Memory of the server in MB (a million bytes). */
export interface Memory {
  readonly residentMb: number
  readonly maxDelayMs: number
  /** Memory of JavaScript objects. */
  readonly heapMb: number
}

/** The built server in its own process, and the server that it delivers to and reads pages from. */
export interface AttackedServer {
  readonly port: number
  readonly enrollment: Enrollment
  /** Base URL of the webhook receiver; the first path segment is the name of a user. */
  readonly receiverUrl: string
  /** The received messages: the user in the path, and the body. */
  readonly received: { readonly name: string; readonly body: string }[]
  /** Lines of the log with level error or fatal, and lines on standard error. */
  readonly errors: string[]
  /** Returns how the process ended; undefined while it runs. */
  readonly findExit: () => string | undefined
  /** Measures the memory after garbage collection. `maxDelayMs`: maximum event loop delay since the last call. */
  readonly measure: () => Promise<Memory>
  /** Reads the peak of the resident memory, in MB. */
  readonly readPeakMb: () => Promise<number>
  /** Shuts the server down. @throws Error when it does not end within 20 s, or its exit code is not 0 */
  readonly stop: () => Promise<void>
}

/**
 * The user names. `reader` uses only read-only tokens, and the data of this account must never change. `guest` only
 * signs in with a form, and no administrator changes the account.
 */
export const userNames = { admin: 'olga', ordinary: ['anna', 'ben'], reader: 'rita', guest: 'gina' } as const
/** Users that the administrator of the attack may change and remove. */
export const spareNames: readonly string[] = Array.from({ length: 8 }, (_, index) => `spare-${index}`)

/** Returns the first password of an account. */
export const firstPassword = (name: string): string => `correct horse of ${name}`

/** A user may have 100 tokens and 50 browser sessions; the rest is for the tokens and sessions of the attack. */
const [reserveTokens, reserveCookies] = [70, 40]

const command = fileURLToPath(new URL('../../dist/start.cjs', import.meta.url))
const probe = fileURLToPath(new URL('./probe.cjs', import.meta.url))

/**
 * Settings of glibc that return freed memory to the system at once. Otherwise the memory that glibc keeps looks like
 * memory that the server holds.
 */
const mallocSettings = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' }

const enroll = async (folder: string): Promise<Enrollment> => {
  const store = await openJsonFileStore({ folder })
  const redirects = ['http://127.0.0.1:9/back', 'com.example.attack:/back'] as const
  const confidential = await addApp(store, 'confidential client', systemEnvironment, { redirectUris: [redirects[0]] })
  const open = await addPublicClient(store, 'public client', systemEnvironment, { redirectUris: [redirects[1]] })
  const ids = new Map<string, string>()
  for (const name of [userNames.admin, ...userNames.ordinary, userNames.reader, userNames.guest, ...spareNames])
    ids.set(name, (await addUser(store, { name, password: firstPassword(name) }, systemEnvironment)).id)
  const reserves = new Map<string, { tokens: string[]; cookies: string[] }>()
  for (const name of [userNames.admin, ...userNames.ordinary]) {
    const userId = ids.get(name) ?? ''
    const reserve: { tokens: string[]; cookies: string[] } = { tokens: [], cookies: [] }
    for (let count = 0; count < reserveTokens; count += 1) {
      const wanted = { userId, name: `reserve ${count}`, isReadOnly: false }
      reserve.tokens.push((await addPersonalToken(store, wanted, systemEnvironment)).token)
    }
    const origin = describeOrigin('127.0.0.1', 'reserve')
    for (let count = 0; count < reserveCookies; count += 1) {
      const opened = store.registry.change((draft) => openBrowserSession(draft, userId, { origin }, systemEnvironment))
      reserve.cookies.push(await opened)
    }
    reserves.set(name, reserve)
  }
  const readOnlyTokens: string[] = []
  for (let count = 0; count < 4; count += 1) {
    const wanted = { userId: ids.get(userNames.reader) ?? '', name: `token ${count}`, isReadOnly: true }
    readOnlyTokens.push((await addPersonalToken(store, wanted, systemEnvironment)).token)
  }
  await store.close()
  const isSpare = (name: string) => spareNames.includes(name)
  return {
    apps: [
      { clientId: confidential.clientId, clientSecret: confidential.clientSecret, redirectUri: redirects[0] },
      { clientId: open.clientId, redirectUri: redirects[1] },
    ],
    reserves,
    readOnlyTokens,
    protectedIds: [
      confidential.clientId,
      open.clientId,
      ...[...ids].filter(([name]) => !isSpare(name)).map(([, id]) => id),
    ],
  }
}

/** Receives webhooks and push messages, and has pages for previews. The path selects the status: gone, busy or broken. */
const openReceiver = async (received: AttackedServer['received']): Promise<Server> => {
  const statuses: Readonly<Record<string, number>> = { gone: 410, busy: 429, broken: 500 }
  const server = createServer((request, response) => {
    const [, name = '', way = ''] = (request.url ?? '').split('/')
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html')
      response.end(`<title>Page of ${name}</title><meta name="description" content="A page">`)
      return
    }
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      received.push({ name, body: Buffer.concat(parts).toString() })
      response.writeHead(statuses[way] ?? 204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const readPort = async (readyFile: string, child: ChildProcess): Promise<number> => {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server did not start')
    try {
      const text = await readFile(readyFile, 'utf8')
      if (text !== '') return Number(new URL((JSON.parse(text) as { base_url: string }).base_url).port)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
    await sleep(20)
  }
}

/** Whether a line of the log is an error: level error or fatal, or no JSON, which means an unintended line. */
const isError = (line: string): boolean => !line.startsWith('{') || /^\{"level":"(error|fatal)"/.test(line)

/**
 * Creates users and apps in a data folder below the temporary folder, and starts the built server on it, on a free port
 * of 127.0.0.1. The caller must run `npm run build` first.
 */
export const openAttackedServer = async (heapMegabytes = 512): Promise<AttackedServer> => {
  const root = await mkdtemp(join(tmpdir(), 'thingsync-attack-'))
  const enrollment = await enroll(join(root, 'data'))
  const received: AttackedServer['received'] = []
  const receiver = await openReceiver(received)
  const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const readyFile = join(root, 'ready.json')
  const settings = ['--data', join(root, 'data'), '--port', '0', '--ready-file', readyFile, '--no-first-run']
  // Client addresses come from X-Forwarded-For. Otherwise the limits per address would reject most requests.
  settings.push('--trust-proxy', '127.0.0.1', '--open-registration')
  settings.push('--delivery-allow', receiverHost, '--link-preview-allow', receiverHost)
  settings.push('--log-level', 'warn', '--log-format', 'json')
  const node = ['--expose-gc', `--max-old-space-size=${heapMegabytes}`, '--require', probe]
  const child = spawn(process.execPath, [...node, command, 'serve', ...settings], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...mallocSettings, NODE_ENV: 'production' },
  })
  // Neither server nor data may stay behind, however this process ends.
  const kill = (): void => {
    child.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  }
  const leave = (): void => process.exit(130)
  process.once('exit', kill).once('SIGINT', leave).once('SIGTERM', leave)
  const errors: string[] = []
  const readLines = (stream: Readable | null, isKept: (line: string) => boolean): void => {
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => isKept(line) && errors.push(line))
  }
  readLines(child.stdout, isError)
  readLines(child.stderr, () => true)
  const findExit = (): string | undefined =>
    child.exitCode === null && child.signalCode === null ? undefined : `${child.signalCode ?? child.exitCode}`
  const port = await readPort(readyFile, child)
  return {
    port,
    enrollment,
    receiverUrl: `http://${receiverHost}/`,
    received,
    errors,
    findExit,
    measure: async () => {
      if (findExit() !== undefined) throw new Error('the server has ended')
      child.send('measure')
      const settled = new AbortController()
      const ended = once(child, 'exit', { signal: settled.signal }).then(() =>
        Promise.reject(new Error('the server ended')),
      )
      const [memory] = (await Promise.race([once(child, 'message'), ended])) as [Memory]
      settled.abort()
      await ended.catch(() => undefined)
      return memory
    },
    readPeakMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / 1e6
    },
    stop: async () => {
      process.removeListener('exit', kill).removeListener('SIGINT', leave).removeListener('SIGTERM', leave)
      receiver.close()
      receiver.closeAllConnections()
      const how = findExit() ?? (await stopInOrder(child))
      await rm(root, { recursive: true, force: true })
      if (how !== '0') throw new Error(`the server ended with ${how} when it was stopped`)
    },
  }
}

const stopInOrder = async (child: ChildProcess): Promise<string> => {
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  child.kill('SIGTERM')
  const [code, signal] = await ended
  clearTimeout(timer)
  return `${signal ?? code}`
}
