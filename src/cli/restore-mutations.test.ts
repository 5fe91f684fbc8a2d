import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordLog } from '../../test/support/record-log.ts'
import {
  fillStore,
  forgeBackup,
  listFolder,
  password,
  readItemLines,
  restoreBackup,
  type Secrets,
} from '../../test/support/restore.ts'
import { createTestBrowser } from '../../test/support/test-browser.ts'
import { findAppAccess, isDisabled } from '../accounts/apps.ts'
import { listSessions } from '../accounts/session-management.ts'
import { findPushKeys } from '../delivery/deliver-push.ts'
import { openDelivery } from '../delivery/dispatcher.ts'
import { systemEnvironment } from '../environment.ts'
import { openServer } from '../http/server.ts'
import { listStoreText } from '../runtime/piecewise-jobs.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { BackupError } from '../store/record/backup-format.ts'
import { StoreError } from '../store/store.ts'
import { writeBackup } from '../store/tools/backup.ts'
import { describeFiles, readFolder } from '../store/tools/inspect.ts'
import { thingForm } from '../things/thing.ts'

const count = Number(process.env.THINGSYNC_RESTORE_MUTATIONS ?? 50)
const seed = Number(process.env.THINGSYNC_RESTORE_SEED ?? 1)

let root = ''
let lines: readonly string[] = []
let secrets: Secrets

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'thingsync-mutations-'))
  const store = await openJsonFileStore({ folder: join(root, 'data'), form: thingForm })
  secrets = await fillStore(store)
  const file = join(root, 'backup.gz')
  await writeBackup({ file, dataFolder: join(root, 'data') }, listStoreText(store), Math.floor(Date.now() / 1000))
  await store.close()
  lines = await readItemLines(file)
})

afterAll(() => rm(root, { recursive: true, force: true }))

/** Creates a generator of numbers that are the same in each run (mulberry32). */
const createRandom = (start: number) => {
  let state = start
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

type Path = readonly (string | number)[]

const listPaths = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? [path]
    : [path, ...Object.entries(value).flatMap(([key, each]) => listPaths(each, [...path, key]))]

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

/** JSON texts that replace a value and that no reader expects. */
const hostile: readonly string[] = [
  ...[
    '9007199254740991',
    '9007199254740992',
    '1000000000000000',
    '499999999999999',
    '500000000000000',
    '4294967296',
    '-1',
    '-1e308',
  ],
  ...['1e308', '1e999', '0.5', '-0', '0', '1', '2', '3', '4', '5', '8640000000001', '1e16', 'NaN', 'null', 'true'],
  ...['false', '[]', '{}', '""', '" "', deep(5), deep(40), deep(30_000), '{"__proto__":{"isAdmin":true}}', '[[1,2]]'],
  ...['"anna"', '"bert"', '"x"', '"vapid"', '"invitation"', '"pending"', '"retired"', '"../../x"', '"a\\u0000b"'],
  ...['"\\ud800"', '"\\r\\nx: y"', '"javascript:alert(1)"', '"https://app.example/back"', '"http://[::1"', '"//"'],
  ...['"$argon2id$v=19$m=4194304,t=1000,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"'],
  ...['"$argon2id$v=19$m=1,t=0,p=9$AAAAAAAAAAAAAAAAAAAAAA$AA"', '"any"', '"#ffffffff"', '"#fff"', '"strike"'],
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify(`a${'\u0345'.repeat(16_000)}${'\u0301'.repeat(16_000)}`),
  JSON.stringify('[('.repeat(20_000)),
]

const isKindOf = (value: unknown, json: string): boolean =>
  typeof value === 'number' ? /^[-\d]/.test(json) : typeof value === 'string' && json.startsWith('"')

const findAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((each, key) => new Map(Object.entries(each as object)).get(String(key)), value)

/** Returns the JSON of a value in which another text replaces the value at a path; undefined leaves it out. */
const replaceAt = (value: unknown, [key, ...rest]: Path, json: string | undefined): string | undefined => {
  if (key === undefined) return json
  const entries = Object.entries(value as object).flatMap(([name, each]) => {
    const text = name === key ? replaceAt(each, rest, json) : JSON.stringify(each)
    return text === undefined ? [] : [Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`]
  })
  return Array.isArray(value) ? `[${entries}]` : `{${entries}}`
}

/** Makes one change of one line, and describes it. */
const mutate = (random: (limit: number) => number): { readonly lines: readonly string[]; readonly what: string } => {
  const at = random(lines.length)
  const line = lines[at] ?? ''
  const other = random(lines.length)
  switch (random(12)) {
    case 0:
      return { lines: lines.toSpliced(at, 1), what: `without ${line}` }
    case 1:
      return { lines: lines.toSpliced(other, 0, line), what: `again ${other}: ${line}` }
    case 2:
      return { lines: lines.with(at, lines[other] ?? '').with(other, line), what: `exchanged ${at} ${other}` }
    default: {
      const value = JSON.parse(line)
      const paths = listPaths(value)
      const path = paths[random(paths.length)] ?? []
      // Half of the texts have the type of the old value: the check mostly rejects others for their type alone.
      const likely = random(2) === 0 ? hostile.filter((each) => isKindOf(findAt(value, path), each)) : []
      const choice = likely.length === 0 ? hostile : likely
      const json = random(10) === 0 ? undefined : choice[random(choice.length)]
      const changed = replaceAt(value, path, json) ?? ''
      return { lines: lines.with(at, changed), what: `${path.join('.')} of ${line}: ${json?.slice(0, 80)}` }
    }
  }
}

const pages = [
  '/account',
  '/account/sessions',
  '/account/password',
  '/account/apps',
  '/account/tokens',
  '/account/delivery',
]
const adminPages = ['/admin', '/admin/users', '/admin/apps', '/admin/limits', '/admin/store']

/** Uses a server on a folder as its users do, and returns the responses that are faults of the server. */
const useServer = async (folder: string): Promise<readonly string[]> => {
  const { log, lines: logged } = recordLog()
  const store = await openJsonFileStore({ folder, form: thingForm })
  const settings = { host: '127.0.0.1', port: 0, maxBodyBytes: 1_000_000, requestTimeoutSeconds: 60 }
  const server = await openServer({ store, settings: { ...settings, corsOrigins: [], trustProxy: [] }, log })
  // Every delivery fails.
  const delivery = openDelivery({
    ...{ store, environment: systemEnvironment, log, showThing: thingForm.showThing },
    send: async () => ({ kind: 'failed', reason: 'Nobody listens.' }),
    findPushKeys: () => findPushKeys(store, systemEnvironment),
    findAppAccess: (userId, clientId) => findAppAccess(store, userId, clientId, systemEnvironment),
    isUserDisabled: (userId) => isDisabled(store, userId),
    isSessionActive: async (userId, sessionId) =>
      (await listSessions(store, userId, systemEnvironment)).some(({ id }) => id === sessionId),
  })
  const { token, clientId, clientSecret, redirectUri, code } = secrets
  const faults: string[] = []
  const note = (what: string, status: number): void => {
    if (status >= 500) faults.push(`${what}: ${status} ${JSON.stringify(logged.at(-1))}`)
  }
  const call = async (path: string, json?: object): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
    const response = await fetch(`${server.baseUrl}${path}`, { headers, ...body })
    await response.text()
    note(path, response.status)
  }
  const grant = async (form: Record<string, string>): Promise<void> => {
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...form })
    const response = await fetch(`${server.baseUrl}token`, { method: 'POST', body })
    await response.text()
    note(`token ${form.grant_type}`, response.status)
  }
  try {
    for (const path of [
      'sync',
      'sync?from=3',
      'tags/get',
      'things/get?archived=include',
      'webhook/list',
      'device/list',
    ])
      await call(path)
    for (const path of ['session/list', 'user/get', 'device/key', 'test']) await call(path)
    await call('sync', {
      from: 0,
      new_thing: [{ local_id: '1', title: 'new', tags: 'todo' }],
      tag: { todo: { todo: true } },
    })
    await call('webhook/register', { target_url: 'https://hook.example/y', event: 'any' })
    await call('thing/delete', { _id: 'a' })
    await grant({ grant_type: 'password', username: 'anna', password })
    await grant({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
    const browser = createTestBrowser(server)
    const page = await browser.open('/sign-in')
    const signedIn = await browser.send(page, '/sign-in', { username: 'anna', password })
    note('/sign-in', signedIn.status)
    const requested = new URLSearchParams({ response_type: 'code', client_id: clientId, state: 's' })
    for (const uri of [redirectUri, 'javascript:alert(1)', undefined]) {
      if (uri === undefined) requested.delete('redirect_uri')
      else requested.set('redirect_uri', uri)
      const path = `/authorize?${requested}`
      const shown = await browser.open(path)
      note(path, shown.status)
      if (shown.location.startsWith('javascript:')) faults.push(`${path}: ${shown.location}`)
      if (!shown.html.includes('name="decision"')) continue
      const allowed = await browser.send(shown, '/authorize', { decision: 'allow' })
      note(`POST ${path}`, allowed.status)
      if (!allowed.location.startsWith('https://app.example/back?')) faults.push(`${path}: ${allowed.location}`)
    }
    for (const path of [...pages, ...adminPages]) note(path, (await browser.open(path)).status)
  } finally {
    await server.close()
    await delivery.close()
    await store.close()
  }
  for (const { level, msg, err } of logged) if (level === 'error') faults.push(`log: ${msg} ${JSON.stringify(err)}`)
  return faults
}

test('a backup with one changed value is rejected by line, or becomes a folder that a server can use', async () => {
  const random = createRandom(seed)
  const wrong: string[] = []
  const outcomes = { rejected: 0, restored: 0 }
  for (let number = 0; number < count; number += 1) {
    const { lines: changed, what } = mutate(random)
    const note = (fault: string) => wrong.push(`${number}: ${what.slice(0, 400)}\n  ${fault}`)
    const folder = join(root, 'restored')
    try {
      await restoreBackup(forgeBackup(changed), root)
      outcomes.restored += 1
      const damaged = describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')
      if (damaged.length > 0) note(`verify: ${JSON.stringify(damaged)}`)
      for (const fault of await useServer(folder)) note(fault)
      const after = describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')
      if (after.length > 0) note(`verify after: ${JSON.stringify(after)}`)
    } catch (error) {
      if (error instanceof BackupError) {
        outcomes.rejected += 1
        if (!/ (line \d+|it contains) .*; nothing was restored$/.test(error.message)) note(error.message)
        if (error.message.length > 1000) note(`a message of ${error.message.length} characters`)
        if ((await listFolder(folder)).length > 0) note('something was left behind')
      } else note(error instanceof StoreError ? error.message : String((error as Error).stack))
    }
    if (wrong.length >= 20) break
  }
  if (process.env.THINGSYNC_RESTORE_MUTATIONS !== undefined) process.stdout.write(`${JSON.stringify(outcomes)}\n`)

  expect(wrong).toEqual([])
  expect(outcomes.rejected + outcomes.restored).toBe(count)
  expect(Math.min(outcomes.rejected, outcomes.restored)).toBeGreaterThan(0)
})
