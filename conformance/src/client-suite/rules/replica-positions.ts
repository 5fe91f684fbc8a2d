/*
 * Rules of the profile `replica` about servers and devices that behave in a rare way: short pages, a server that went back,
 * edits that are typed during an upload, and kills inside a write. Start reading at `shortPageRules`.
 */
import { once } from 'node:events'
import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type JsonObject, showValue } from '../../encoding.ts'
import type { Behavior } from '../../model/behavior.ts'
import type { Account } from '../../model/state.ts'
import {
  arrivalOf,
  type ClientLab,
  canonicalize,
  expectEqual,
  expectThat,
  lastExchange,
  type ReplicaDevice,
} from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged, findDifference } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { lastWithNews } from '../story.ts'
import { type Act, isUpload, loseRequest, loseResponse, pass, respondWith, type WireRequest } from '../wire.ts'
import { expectTitles } from './replica-edits.ts'
import { filled, isLaterPage } from './replica-listings.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** Responds with an error; the errors that ask a client to come again do so at once. */
const reject = (status: number, error: string): Act => {
  const isTemporary = status === 429 || status >= 500
  return respondWith(status, { error, error_description: 'not now' }, isTemporary ? { 'retry-after': '0' } : {})
}

/** Servers whose pages have fewer things than `limit`: it is only a bound, and `thingCount` says how many there are. */
const shortPages: readonly (readonly [how: string, size: (limit: number, skip: number) => number])[] = [
  ['has at most 250 things on a page', () => 250],
  ['leaves one thing out of each full page', (limit) => Math.min(limit - 1, 500)],
  ['has pages of 1, 90 and 300 things', (_limit, skip) => [90, 1, 300][skip % 3] ?? 1],
]

/** Cuts pages of a size of its own, never above `limit`, and never empty before the end. */
const pagesOf = (size: (limit: number, skip: number) => number): Partial<Behavior> => ({
  page: (list, skip, limit) =>
    limit === undefined ? list.slice(skip) : list.slice(skip, skip + Math.min(limit, Math.max(1, size(limit, skip)))),
})

/** Rules about pages that are shorter than the client asked for. */
export const shortPageRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-SHORT-01',
    title: 'MUST read on after a page that has fewer things than its limit',
    features: ['paging'],
    requirements: ['D-4.3-11'],
    check: async (lab) =>
      lab.forEachVariant(shortPages, async ([how, size], lab) => {
        const server = await lab.openServer(filled(1100, pagesOf(size)))
        const other = await server.device()
        const phone = await lab.replica(server)
        await phone.sync()
        expectThat(
          server.wire.requests(isLaterPage).length > 0,
          `a request for a later page, because the server ${how}`,
          'none came',
          lastExchange(server.wire.exchanges, isSync),
        )
        await expectConverged(server, phone, `the server ${how}`)
        const ids = server.things().map(({ _id }) => String(_id))
        const changed = ids.slice(0, 400).map((_id) => ({ _id, title: `changed ${_id}` }))
        await other.sync({ deleted_thing: ids.slice(400, 900), changed_thing: changed })
        await phone.sync()
        await expectConverged(server, phone, `the server ${how}, and another device changed and deleted things`)
      }),
  },
])

/** What the account of a server loses when a backup is restored. */
interface Restored {
  /** Whether a thing with this title is newer than the backup. */
  readonly isNewer: (title: string) => boolean
  readonly newerTags: readonly string[]
  readonly position: number
}

/** Restores a backup: the account loses what is newer, and its position is smaller. */
function restore(server: ScriptedServer, { isNewer, newerTags, position }: Restored): void {
  const account: Account = server.account()
  for (const [id, thing] of account.things) {
    if (isNewer(thing.fields.title)) account.things.delete(id)
    thing.position = Math.min(thing.position, position)
  }
  for (const name of newerTags) account.tags.delete(name)
  for (const tag of account.tags.values()) tag.position = Math.min(tag.position, position)
  for (const { pages, uploads } of server.model.state.sessions) {
    pages.clear()
    uploads.clear()
  }
  account.position = position
}

/** Expects a replica to have no settings of a tag that has none in the account. */
async function expectNoOtherSettings(server: ScriptedServer, phone: ReplicaDevice, because: string): Promise<void> {
  const { tags } = await phone.read()
  const isSet = (settings: unknown): boolean =>
    isObject(settings) && Object.values(settings).some((value) => value !== false && value !== null)
  const others = Object.entries(tags).filter(
    ([name, settings]) => isSet(settings) && !isSet({ ...server.account().tags.get(name)?.settings }),
  )
  expectThat(
    others.length === 0,
    `no settings of tags that have none in the account, because ${because}`,
    `read has ${showValue(Object.fromEntries(others))}`,
    lastWithNews(server.wire.exchanges),
  )
}

const favorite = { favorite: true, color: '#a1b2c3', todo: false }

/** Opens a server and a replica that know "stays", "gone" and more, of both devices. */
async function openBeforeRestore(lab: ClientLab): Promise<{ server: ScriptedServer; phone: ReplicaDevice }> {
  const server = await lab.openServer()
  const other = await server.device()
  for (const title of ['stays', 'gone', 'gone, edited']) await other.create({ title, date: 5 })
  for (const name of ['stays', 'gone']) await other.setTag(name, favorite)
  const phone = await lab.replica(server)
  for (const title of ['mine', 'gone, mine', 'gone, deleted']) await phone.create({ title, date: 6 })
  await phone.sync()
  server.account().position = 5000
  await other.create({ title: 'gone, new' })
  await phone.sync()
  await expectConverged(server, phone, 'it synced')
  return { server, phone }
}

const backup: Restored = {
  isNewer: (title) => title.startsWith('gone'),
  newerTags: ['gone'],
  position: 100,
}

/**
 * Expects a replica to hold every thing of the account. It may hold others: clients do not compare positions, so they need
 * not notice that a server went back.
 */
async function expectAllHeld(server: ScriptedServer, phone: ReplicaDevice, because: string): Promise<void> {
  const account = server.things()
  const ids = new Set(account.map(({ _id }) => _id))
  const held = (await phone.read()).things.filter(({ _id }) => typeof _id === 'string' && ids.has(_id))
  const difference = findDifference(held, account)
  expectThat(
    difference === undefined,
    `${phone.name} to hold every thing of the account, because ${because}`,
    difference ?? '',
    lastWithNews(server.wire.exchanges),
  )
}

/** Rules about a server that went back to an earlier position. */
export const restoredServerRules = clientRulesOf('replica', '2.3', [
  {
    id: 'CLIENT-RESTORED-01',
    title: 'MUST upload or report each edit that waits, when the server went back',
    requirements: ['D-2.3-1', 'D-4.3-10'],
    check: async (lab) => {
      const { server, phone } = await openBeforeRestore(lab)
      await phone.create({ title: 'new' })
      await phone.change(await phone.refOf('stays'), { title: 'stays, changed' })
      await phone.change(await phone.refOf('gone, edited'), { title: 'typed for nothing' })
      await phone.remove(await phone.refOf('gone, deleted'))
      if (lab.has('set-tag')) await phone.setTag('waits', favorite)
      restore(server, backup)
      for (let count = 0; count < 3; count += 1) await phone.syncUntilDone('the server restored a backup')
      const because = 'the server restored a backup while edits waited'
      for (const title of ['new', 'stays, changed', 'mine'])
        expectThat(
          server.titled(title).length === 1,
          `"${title}" once in the account, because ${because}`,
          `${server.titled(title).length} came`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      const { lost } = await phone.state()
      expectThat(
        lost.includes('typed for nothing') || server.titled('typed for nothing').length === 1,
        `"typed for nothing" in the account or in lost of state, because ${because}`,
        `lost is ${showValue(lost)}`,
        lastExchange(server.wire.exchanges, isUpload),
      )
      if (lab.has('set-tag'))
        expectEqual(server.account().tags.get('waits')?.settings.favorite, true, 'favorite of the tag "waits"')
      await expectAllHeld(server, phone, because)
    },
  },
  {
    id: 'CLIENT-RESTORED-02',
    title: 'MUST hold what every page lists, when the server went back',
    features: ['paging'],
    requirements: ['D-2.3-1', 'D-4.3-11'],
    check: async (lab) => {
      const server = await lab.openServer(
        filled(
          1100,
          pagesOf(() => 400),
        ),
      )
      const other = await server.device()
      server.account().position = 5000
      await other.create({ title: 'new' })
      const phone = await lab.replica(server)
      await phone.sync()
      restore(server, { isNewer: (title) => title.endsWith('7'), newerTags: [], position: 100 })
      await other.create({ title: 'after' })
      for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server restored a backup')
      await expectAllHeld(server, phone, 'the server restored a backup of several pages')
    },
  },
])

/** How a full sync can stop between two pages, so that the client starts again. */
const stops: readonly (readonly [
  how: string,
  stop: (
    server: ScriptedServer,
    phone: ReplicaDevice,
    change: (deleted: readonly string[]) => Promise<void>,
  ) => Promise<void>,
])[] = [
  [
    'the program was killed between two pages',
    async (server, phone, change) => {
      const { outcome, arrived } = arrivalOf(server, isLaterPage, () => phone.trySync(), 'a second page')
      await arrived
      await phone.kill()
      await outcome.catch(() => undefined)
      await change(['id3', 'id390', 'id1090'])
      await phone.start()
    },
  ],
  [
    'every later page failed',
    async (server, phone, change) => {
      const end = server.wire.always(isLaterPage, reject(500, 'server_error'))
      await phone.trySync()
      end()
      await change(['id3', 'id390', 'id1090'])
    },
  ],
  [
    'the account changed between two pages',
    async (server, phone, change) => {
      // Only the last thing: a client that reads on must not miss another one, which moved to an earlier page.
      server.wire.once(isLaterPage, async (step) => {
        await change(['id1099'])
        await pass(step)
      })
      await phone.syncUntilDone('the server is right')
    },
  ],
]

/** Rules about a full sync that starts again. */
export const fullSyncAgainRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-FULL-01',
    title: 'MUST NOT keep what an incomplete full sync listed, when the next one does not list it',
    features: ['paging'],
    requirements: ['D-2.3-3', 'D-4.3-12'],
    check: async (lab) =>
      lab.forEachVariant(stops, async ([how, stop], lab) => {
        // Each page shows its moment, and positions move from page to page.
        const server = await lab.openServer(
          filled(1100, { ...pagesOf(() => 400), keepsPages: false, order: (a, b) => a.created - b.created }),
        )
        const other = await server.device()
        for (const name of ['stays', 'ends', 'changes']) await other.setTag(name, favorite)
        const phone = await lab.replica(server)
        await stop(server, phone, async (deleted) => {
          await other.sync({
            deleted_thing: deleted,
            changed_thing: [{ _id: 'id5', title: 'changed' }],
            tag: { ends: { favorite: false, color: false, todo: false }, changes: { color: '#000000' } },
          })
        })
        await phone.create({ title: 'mine' })
        for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server is right')
        await expectConverged(server, phone, `${how}, and another device deleted things and settings`)
        await expectNoOtherSettings(server, phone, `${how}, and another device removed settings`)
      }),
  },
])

/** How an upload ends that was under way while the user typed; `rejects`: a client may give up what it sent. */
interface End {
  readonly how: string
  readonly act: Act
  readonly rejects: boolean
}

const ends: readonly End[] = [
  { how: 'the response came', act: pass, rejects: false },
  { how: 'the response was lost', act: loseResponse, rejects: false },
  { how: 'the request was lost', act: loseRequest, rejects: false },
  { how: '429 came', act: reject(429, 'slow_down'), rejects: false },
  { how: '503 came', act: reject(503, 'temporarily_unavailable'), rejects: false },
  { how: '500 came', act: reject(500, 'server_error'), rejects: false },
  { how: 'a page of HTML came', act: respondWith(502, '<html>Bad Gateway</html>'), rejects: false },
  { how: '400 came', act: reject(400, 'parameter_invalid'), rejects: true },
  { how: '409 came', act: reject(409, 'conflict'), rejects: true },
  { how: '413 came', act: reject(413, 'body_too_large'), rejects: true },
]

/** Types while the first upload of a sync is under way, lets that upload end, and syncs again. */
async function typeDuringUpload(
  server: ScriptedServer,
  phone: ReplicaDevice,
  act: Act,
  type: () => Promise<void>,
): Promise<void> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  server.wire.once('upload', async (step) => {
    await released
    await act(step)
  })
  const { outcome, arrived } = arrivalOf(server, 'upload', () => phone.trySync(), 'an upload')
  await arrived
  await type()
  release()
  await outcome
  for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server works')
}

/** What is typed during an upload; no fields: the thing is deleted. */
const meanwhile: readonly (readonly [name: string, fields: JsonObject | undefined])[] = [
  ['title', { title: 'meanwhile title' }],
  ['html', { html: 'meanwhile' }],
  ['tags', { tags: 'meanwhile' }],
  ['url', { url: '' }],
  ['deletion', undefined],
  ['nothing', {}],
]

/** The sent fields of a thing, with a title of its own. */
const sentFields = (title: string): JsonObject => ({ title, html: 'sent', url: 'https://example.org/sent', tags: 'a' })

/** Rules about edits that are typed while an upload is under way. */
export const meanwhileRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-MEANWHILE-01',
    title: 'MUST let what was typed during an upload win, however that upload ends',
    features: ['concurrent'],
    requirements: ['D-4.3-16', 'D-4.3-10', 'D-8-2'],
    maxMs: 240_000,
    check: async (lab) =>
      lab.forEachVariant(ends, async ({ how, act, rejects }, lab) => {
        const server = await lab.openServer()
        const phone = await lab.replica(server)
        const refs = new Map<string, string>()
        for (const [name] of meanwhile) refs.set(`change ${name}`, await phone.create({ title: `first ${name}` }))
        await phone.sync()
        for (const [name] of meanwhile) {
          await phone.change(refs.get(`change ${name}`) ?? '', sentFields(`change ${name}`))
          refs.set(`creation ${name}`, await phone.create(sentFields(`creation ${name}`)))
        }
        await typeDuringUpload(server, phone, act, async () => {
          for (const [sent, ref] of refs) {
            const [, fields] = meanwhile.find(([name]) => sent.endsWith(` ${name}`)) ?? []
            if (fields === undefined) await phone.remove(ref)
            else if (Object.keys(fields).length > 0)
              await phone.change(ref, fields.title === undefined ? fields : { title: `meanwhile ${sent}` })
          }
        })
        const { lost } = await phone.state()
        for (const [sent] of refs) {
          const [, fields] = meanwhile.find(([name]) => sent.endsWith(` ${name}`)) ?? []
          const title = fields?.title === undefined ? sent : `meanwhile ${sent}`
          if (rejects && (lost.includes(title) || lost.includes(sent))) continue
          const stored = server.things().filter((thing) => [sent, `meanwhile ${sent}`].includes(String(thing.title)))
          const { url, ...rest }: JsonObject = { ...sentFields(sent), ...fields, title }
          expectEqual(
            stored.map(({ title, html, url, tags }) => ({ title, html, tags, ...(url === undefined ? {} : { url }) })),
            fields === undefined ? [] : [{ ...rest, ...(url === '' ? {} : { url }) }],
            `the newest edits of "${sent}" in the account, because ${how} to the upload that was under way`,
            lastExchange(server.wire.exchanges, isUpload),
          )
        }
        await expectConverged(server, phone, `${how} to an upload, and the user typed meanwhile`)
      }),
  },
  {
    id: 'CLIENT-MEANWHILE-02',
    title: 'MUST let the tag settings win that were typed during an upload, however that upload ends',
    section: '2.2',
    features: ['concurrent', 'set-tag'],
    requirements: ['D-4.3-16', 'D-2.2-3', 'D-8-2'],
    maxMs: 240_000,
    check: async (lab) =>
      lab.forEachVariant(ends, async ({ how, act, rejects }, lab) => {
        const server = await lab.openServer()
        const other = await server.device()
        const typed: Readonly<Record<string, JsonObject>> = {
          color: { color: '#000000' },
          off: { favorite: false },
          todo: { todo: true },
          all: { favorite: false, color: false, todo: true },
          nothing: {},
        }
        const names = Object.keys(typed).flatMap((name) => [`old-${name}`, `new-${name}`])
        for (const name of Object.keys(typed)) await other.setTag(`old-${name}`, { color: '#ffffff' })
        const phone = await lab.replica(server)
        await phone.sync()
        for (const name of names) await phone.setTag(name, { favorite: true, color: '#a1b2c3' })
        const typedFor = (name: string): JsonObject => typed[name.slice(4)] ?? {}
        await typeDuringUpload(server, phone, act, async () => {
          for (const name of names) if (Object.keys(typedFor(name)).length > 0) await phone.setTag(name, typedFor(name))
        })
        const { lost } = await phone.state()
        for (const name of rejects && lost.length > 0 ? [] : names) {
          const { favorite, color, todo } = server.account().tags.get(name)?.settings ?? {}
          expectEqual(
            { favorite, color, todo: todo !== undefined && todo !== false },
            { favorite: true, color: '#a1b2c3', todo: false, ...typedFor(name) },
            `the newest settings of "${name}" in the account, because ${how} to the upload that was under way`,
            lastExchange(server.wire.exchanges, isUpload),
          )
        }
        await expectConverged(server, phone, `${how} to an upload, and the user typed settings meanwhile`)
      }),
  },
])

/** Edits of one thing, one after the other. */
const edits: readonly JsonObject[] = [
  { title: 'second' },
  { html: 'second' },
  { tags: 'b c' },
  { url: 'https://example.org/2' },
  { archived: true },
  { title: 'third', date: 1_600_000_000 },
  { archived: false },
  { html: 'third' },
]

/** What can happen between two edits. */
const betweenEdits: readonly (readonly [
  what: string,
  act: (server: ScriptedServer, phone: ReplicaDevice) => Promise<void>,
])[] = [
  ['nothing happened between them', async () => {}],
  ['the program was killed after each of them', async (_server, phone) => phone.restart()],
  [
    'an upload failed after each of them',
    async (server, phone) => {
      const stop = server.wire.always('upload', reject(500, 'server_error'))
      await phone.trySync()
      stop()
    },
  ],
]

/** Rules about several edits of one thing or tag. */
export const editedAgainRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-AGAIN-01',
    title: 'MUST upload every edit of a thing that was edited several times',
    requirements: ['D-4.3-16', 'D-4.3-9'],
    maxMs: 240_000,
    check: async (lab) =>
      lab.forEachVariant(betweenEdits, async ([what, act], lab) => {
        const server = await lab.openServer()
        const other = await server.device()
        const first = { title: 'first', tags: 'a', html: 'first', url: 'https://example.org/', date: 5 }
        await other.create({ ...first, title: 'first theirs' })
        const phone = await lab.replica(server)
        await phone.create({ ...first, title: 'first mine' })
        await phone.sync()
        await phone.create({ ...first, title: 'first new' })
        const names = ['theirs', 'mine', 'new']
        const titles = new Map(names.map((name) => [name, `first ${name}`]))
        for (const fields of edits) {
          for (const name of names) {
            const ref = await phone.refOf(titles.get(name) ?? '')
            const title = `${String(fields.title)} ${name}`
            await phone.change(ref, fields.title === undefined ? fields : { ...fields, title })
            if (fields.title !== undefined) titles.set(name, title)
          }
          await act(server, phone)
        }
        for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server works')
        const { archived: _archived, ...wanted }: JsonObject = Object.assign({}, first, ...edits)
        for (const name of names) {
          const title = `third ${name}`
          expectEqual(
            server.titled(title).map(({ _id, ...stored }) => stored),
            [{ ...wanted, title }],
            `"${title}" in the account with the newest value of each field, because ${what}`,
            lastExchange(server.wire.exchanges, isUpload),
          )
        }
        await expectConverged(server, phone, what)
      }),
  },
  {
    id: 'CLIENT-AGAIN-02',
    title: 'MUST upload every setting of a tag that was set several times',
    section: '2.2',
    features: ['set-tag'],
    requirements: ['D-2.2-3', 'D-4.3-16'],
    check: async (lab) =>
      lab.forEachVariant(betweenEdits, async ([what, act], lab) => {
        const server = await lab.openServer()
        const other = await server.device()
        await other.setTag('old', { color: '#ffffff', todo: true })
        const phone = await lab.replica(server)
        await phone.sync()
        const settings: readonly JsonObject[] = [
          { favorite: true },
          { color: '#000000' },
          { todo: false },
          { color: '#a1b2c3' },
        ]
        for (const setting of settings) {
          for (const name of ['old', 'new']) await phone.setTag(name, setting)
          await act(server, phone)
        }
        for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server works')
        for (const name of ['old', 'new'])
          expectEqual(
            server.account().tags.get(name)?.settings,
            favorite,
            `the settings of the tag "${name}" in the account, because ${what}`,
            lastExchange(server.wire.exchanges, isUpload),
          )
        await expectConverged(server, phone, what)
      }),
  },
])

/** The content of each file of a folder. */
async function readFolder(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)))
}

/** Finds the file that alone changed, by bytes that were added to its end. */
function findAppended(
  before: ReadonlyMap<string, Buffer>,
  after: ReadonlyMap<string, Buffer>,
): { readonly path: string; readonly start: number; readonly end: number } | undefined {
  const changed = [...after].filter(([path, bytes]) => before.get(path)?.equals(bytes) !== true)
  const [path, bytes] = changed[0] ?? []
  const old = path === undefined ? undefined : before.get(path)
  const isOther = changed.length !== 1 || [...before.keys()].some((each) => !after.has(each))
  if (path === undefined || bytes === undefined || old === undefined || isOther) return undefined
  const isAppended = bytes.length > old.length && bytes.subarray(0, old.length).equals(old)
  return isAppended ? { path, start: old.length, end: bytes.length } : undefined
}

/** How many of the bytes of a write reached the file before a kill. */
const written: readonly (readonly [how: string, count: (length: number) => number])[] = [
  ['all bytes but the last one', (length) => length - 1],
  ['half of the bytes', (length) => Math.floor(length / 2)],
  ['one byte', () => 1],
]

/** Expects a replica to show these titles, among others. */
async function expectHeld(phone: ReplicaDevice, titles: readonly string[], because: string): Promise<void> {
  const shown = (await phone.read()).things.map(({ title }) => title)
  expectThat(
    titles.every((title) => shown.includes(title)),
    `${showValue(titles)} in read, because ${because}`,
    `read lists ${showValue(shown)}`,
  )
}

/** Rules about a kill inside a write to the folder. */
export const tornWriteRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-TORN-01',
    title: 'MUST keep earlier and later edits when it was killed inside a write',
    requirements: ['D-4.3-9'],
    check: async (lab) =>
      lab.forEachVariant(written, async ([how, count], lab) => {
        const server = await lab.openServer()
        const phone = await lab.replica(server)
        await phone.create({ title: 'known' })
        await phone.sync()
        await phone.create({ title: 'before' })
        const before = await readFolder(phone.folder)
        await phone.create({ title: 'torn' })
        await phone.kill()
        const appended = findAppended(before, await readFolder(phone.folder))
        // Other programs replace whole files, or write several: for them this is a plain kill.
        if (appended !== undefined) await truncate(appended.path, appended.start + count(appended.end - appended.start))
        const because = `${how} of a write reached the file before a kill`
        await phone.start()
        await expectHeld(phone, ['known', 'before'], because)
        // A client that replays its records can lose the first one after the torn one, or all of them.
        await phone.create({ title: 'after' })
        await phone.restart()
        await expectHeld(phone, ['known', 'before', 'after'], `${because}, and again after the next edit`)
        await phone.change(await phone.refOf('known'), { title: 'known, changed' })
        await phone.restart()
        await expectHeld(phone, ['known, changed', 'before', 'after'], `${because}, and again after two edits`)
        for (let tries = 0; tries < 2; tries += 1) await phone.syncUntilDone('the server works')
        const hasTorn = appended === undefined || server.titled('torn').length > 0
        expectTitles(server, ['known, changed', 'before', 'after', ...(hasTorn ? ['torn'] : [])], because)
        await expectConverged(server, phone, because)
      }),
  },
  {
    id: 'CLIENT-TORN-02',
    title: 'MUST keep its things and edits when it is killed at the first byte of a write',
    requirements: ['D-4.3-9', 'D-2.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      for (const number of [1, 2, 3, 4]) await other.create({ title: `big ${number}`, html: 'x'.repeat(900_000) })
      const phone = await lab.replica(server)
      await phone.sync()
      const kept = ['big 1', 'big 2', 'big 3', 'big 4']
      for (let round = 0; round < 3; round += 1) {
        await phone.create({ title: `kept ${round}` })
        kept.push(`kept ${round}`)
        await killAtFirstWrite(phone, async () => phone.create({ title: `torn ${round}` }))
        await phone.start()
        await expectHeld(phone, kept, 'it was killed inside a write')
      }
      for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server works')
      const titles = server.things().map(({ title }) => String(title))
      const certain = titles.filter((title) => !title.startsWith('torn'))
      expectEqual(canonicalize([...certain].sort()), canonicalize([...kept].sort()), 'the titles in the account')
      await expectConverged(server, phone, 'it was killed inside writes')
    },
  },
])

/** Sends a command, and kills the process when it changes a file, or when the command has ended. */
async function killAtFirstWrite(phone: ReplicaDevice, command: () => Promise<unknown>): Promise<void> {
  const watcher: FSWatcher = watch(phone.folder, { recursive: false })
  try {
    const firstWrite = once(watcher, 'change')
    const ended = command()
    // The kill may end the command without a result.
    ended.catch(() => undefined)
    await Promise.race([firstWrite, ended.catch(() => undefined)])
    await phone.kill()
  } finally {
    watcher.close()
  }
}
