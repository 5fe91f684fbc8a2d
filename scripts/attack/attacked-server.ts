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
import { addPublicApp } from '../../src/accounts/apps.ts'
import { openBrowserSession } from '../../src/accounts/session-management.ts'
import { describeOrigin } from '../../src/accounts/sessions.ts'
import { addPersonalToken } from '../../src/accounts/token-grants.ts'
import { addApp, addUser, openJsonFileStore, systemEnvironment, thingForm } from '../../src/index.ts'

/** An application that the attackers use. */
export interface AttackApp {
  readonly clientId: string
  readonly clientSecret?: string
  readonly redirectUri: string
}

/** What was made in the data folder before the server started. */
export interface Enrolment {
  /** Confidential, then public. */
  readonly apps: readonly [AttackApp, AttackApp]
  /**
   * Tokens and secrets of cookies of those whose own ones the attack ends: to sign in again each time would cost more than
   * the attack.
   */
  readonly reserves: ReadonlyMap<string, { readonly tokens: string[]; readonly cookies: string[] }>
  /** Personal tokens of `reader`, which may only read; the last one is for the comparison at the end. */
  readonly readOnlyTokens: readonly string[]
  /** Of users and apps that no administrator of the attack may touch: the others could not go on without them. */
  readonly protectedIds: readonly string[]
}

/** Memory of the server in MB of a million bytes. */
export interface Memory {
  readonly residentMb: number
  readonly maxDelayMs: number
  /** JavaScript objects alone. */
  readonly heapMb: number
}

/** The built server in a process of its own, and what it calls. */
export interface AttackedServer {
  readonly port: number
  readonly enrolment: Enrolment
  /** Base URL of the webhook receiver; below it stands the name of a user. */
  readonly receiverUrl: string
  /** What the receiver was sent: the user of the path, and the body. */
  readonly received: { readonly name: string; readonly body: string }[]
  /** Lines of the log of level error or fatal, and what was written on standard error. */
  readonly errors: string[]
  /** How the process ended; undefined while it runs. */
  readonly findExit: () => string | undefined
  /** Collects garbage first. `maxDelayMs`: the longest delay of the event loop since the last call. */
  readonly measure: () => Promise<Memory>
  /** The largest resident memory so far, in MB. */
  readonly readPeakMb: () => Promise<number>
  /** Stops the server in order. @throws when it does not end by itself within 20 s, or not well */
  readonly stop: () => Promise<void>
}

/**
 * The user names. `reader` uses read-only tokens alone, and nothing of this account may ever change; `guest` only signs in
 * with a form, and no administrator changes the account.
 */
export const userNames = { admin: 'olga', ordinary: ['anna', 'ben'], reader: 'rita', guest: 'gina' } as const
export const spareNames: readonly string[] = Array.from({ length: 8 }, (_, index) => `spare-${index}`)

/** The password that an account begins with. */
export const firstPassword = (name: string): string => `correct horse of ${name}`

/** A user may have 100 tokens and 50 browsers; the others are for what the attack makes. */
const [reserveTokens, reserveCookies] = [70, 40]

const command = fileURLToPath(new URL('../../dist/src/cli/start.cjs', import.meta.url))
const probe = fileURLToPath(new URL('./probe.cjs', import.meta.url))

/**
 * Returns freed memory to the system at once. Otherwise glibc keeps some 60 MB after 200,000 requests, which cannot be told
 * from memory that the server itself holds.
 */
const mallocSettings = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' }

const enrol = async (folder: string): Promise<Enrolment> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const redirects = ['http://127.0.0.1:9/back', 'com.example.attack:/back'] as const
  const confidential = await addApp(store, 'confidential app', systemEnvironment, { redirectUris: [redirects[0]] })
  const open = await addPublicApp(store, 'public app', systemEnvironment, { redirectUris: [redirects[1]] })
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

/** Takes what webhooks and push services are sent; by the path it answers that it is gone, busy, or broken. */
const openReceiver = async (received: AttackedServer['received']): Promise<Server> => {
  const statuses: Readonly<Record<string, number>> = { gone: 410, busy: 429, broken: 500 }
  const server = createServer((request, response) => {
    const [, name = '', way = ''] = (request.url ?? '').split('/')
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

/** Pino's lines of level error and fatal; a line that is no JSON is one that nobody meant to write. */
const isError = (line: string): boolean => !line.startsWith('{') || /^\{"level":"(error|fatal)"/.test(line)

/**
 * Makes users and applications in a data folder below the temporary folder, and starts the built server on it
 * (`npm run build` first), on a free port of 127.0.0.1.
 */
export const openAttackedServer = async (heapMegabytes = 512): Promise<AttackedServer> => {
  const root = await mkdtemp(join(tmpdir(), 'thingsync-attack-'))
  const enrolment = await enrol(join(root, 'data'))
  const received: AttackedServer['received'] = []
  const receiver = await openReceiver(received)
  const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const readyFile = join(root, 'ready.json')
  const settings = ['--data', join(root, 'data'), '--port', '0', '--ready-file', readyFile, '--no-first-run']
  // Addresses are told by X-Forwarded-For, or the limits for one address would keep most requests out.
  settings.push('--trust-proxy', '127.0.0.1', '--delivery-allow', receiverHost, '--open-registration')
  settings.push('--log-level', 'warn', '--log-format', 'json')
  const node = ['--expose-gc', `--max-old-space-size=${heapMegabytes}`, '--require', probe]
  const child = spawn(process.execPath, [...node, command, 'serve', ...settings], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...mallocSettings, NODE_ENV: 'production' },
  })
  // However this process ends, neither server nor data stay behind.
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
    enrolment,
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
