/*
 * Rules of the profile `replica` about one sync: what its upload contains, what the response to it means, and what is left
 * when it fails. Start reading at `uploadResponseRules`.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isObject, type Json, type JsonObject, parseJson, showValue } from '../../encoding.ts'
import { type Behavior, rightServer } from '../../model/behavior.ts'
import { ApiError } from '../../model/state.ts'
import { emptyFields } from '../../model/thing-fields.ts'
import {
  arrivalOf,
  type ClientLab,
  expectEqual,
  expectThat,
  formsOfSecret,
  lastExchange,
  type ReplicaDevice,
  showError,
} from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { type Act, isUpload, loseRequest, pass, respondWith, type WireRequest } from '../wire.ts'
import { expectTitles } from './replica-edits.ts'
import { expectPages, isLaterPage, openPaged } from './replica-listings.ts'
import { edit, edited, losses, prepare, strange } from './replica-recovery.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

const numbers = [1, 2, 3] as const

/** A server that clears the fields that a changed thing leaves out: it may. */
const clearing: Partial<Behavior> = {
  changedFields: (old, change) => ({ ...emptyFields, title: old.title, date: old.date, ...change }),
}

/** Turns the order of the members of `things.new` around, which means nothing. */
const turnNewAround: Act = async (step) => {
  const response = await step.forward()
  const body = parseJson(response.body.toString('utf8'))
  if (!isObject(body) || !isObject(body.things) || !isObject(body.things.new)) return step.send(response)
  const members = Object.entries(body.things.new).map(([name, id]) => `${JSON.stringify(name)}:${JSON.stringify(id)}`)
  // An object would put names that look like numbers in order.
  const text = JSON.stringify({ ...body, things: { ...body.things, new: null } })
  const turned = text.replace(/"new":null/, () => `"new":{${members.reverse().join(',')}}`)
  return step.send({ ...response, body: Buffer.from(turned) })
}

/** Rules about the response to an upload. */
export const uploadResponseRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-RESPONSE-01',
    title: 'MUST take over everything that the response to its upload lists',
    requirements: ['D-4.3-18', 'D-2.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const shared = await other.create({ title: 'shared' })
      const gone = await other.create({ title: 'gone' })
      const theirs = await other.create({ title: 'theirs' })
      const phone = await lab.replica(server)
      await phone.sync()
      await phone.change(await phone.refOf('shared'), { title: 'shared, changed' })
      await phone.create({ title: 'mine' })
      server.wire.once('upload', async (step) => {
        await other.change(shared, { title: 'shared', html: 'theirs', url: 'https://example.org/' })
        for (const number of numbers) await other.create({ title: `meanwhile ${number}` })
        await other.change(theirs, { title: 'theirs, changed' })
        await other.remove(gone)
        await other.setTag('home', { favorite: true, color: '#a1b2c3', todo: false })
        await pass(step)
      })
      for (let count = 0; count < 2; count += 1) await phone.sync()
      await expectConverged(server, phone, 'another device wrote just before the upload')
    },
  },
  {
    id: 'CLIENT-RESPONSE-02',
    title: 'MUST give each new thing its own `_id`, in whatever order `things.new` has them',
    requirements: ['D-4.3-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      server.wire.always('upload', turnNewAround)
      const phone = await lab.replica(server)
      const refs: string[] = []
      for (const number of numbers) refs.push(await phone.create({ title: `new ${number}`, html: `new ${number}` }))
      await phone.sync()
      await expectConverged(server, phone, 'it created three things')
      for (const [index, ref] of refs.entries()) await phone.change(ref, { title: `changed ${index + 1}` })
      await phone.sync()
      const came = server.things().map(({ title, html }) => `${showValue(html)} is ${showValue(title)}`)
      const wanted = numbers.map((number) => `"new ${number}" is "changed ${number}"`)
      const last = lastExchange(server.wire.exchanges, isUpload)
      expectEqual([...came].sort(), wanted, 'the three things with the titles that phone gave each', last)
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
])

/** Edits of one kind, each with three things or tags. */
const kinds = ['create', 'change', 'remove', 'set-tag'] as const

/** Types three edits of a kind; `round` keeps the titles of one round apart from those of another. */
async function typeThree(phone: ReplicaDevice, kind: (typeof kinds)[number], round: string): Promise<void> {
  for (const number of numbers) {
    if (kind === 'create') await phone.create({ title: `${round} new ${number}` })
    else if (kind === 'set-tag') await phone.setTag(`${round}-${number}`, { favorite: true })
    else if (kind === 'remove') await phone.remove(await phone.refOf(`${round} remove ${number}`))
    else await phone.change(await phone.refOf(`${round} change ${number}`), { title: `${round} changed ${number}` })
  }
}

/** Returns the kinds of edits that the client has. */
const kindsOf = (lab: ClientLab): readonly (typeof kinds)[number][] =>
  kinds.filter((kind) => kind !== 'set-tag' || lab.has('set-tag'))

/** A server of the core creates what it gets: it does not recognize a retry. */
const recognizesNothing: Partial<Behavior> = { rememberedUploads: () => undefined }

/** Rejects uploads above a limit as a whole, with 413. */
const limited: readonly (readonly [how: string, behavior: Partial<Behavior>])[] = [
  [
    'takes ten things of each kind at once',
    {
      applied: (upload) => {
        const counts = [upload.created, upload.changed, upload.deleted].map(({ length }) => length)
        if (Math.max(...counts) > 10) throw new ApiError('things-many', 'more than ten things')
        return upload
      },
    },
  ],
  [
    'takes bodies of 8 KB',
    {
      form: (body, exchange) => {
        const length = body.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
        if (exchange.path === 'sync' && length > 8000) throw new ApiError('body-large', 'more than 8,000 bytes')
        return rightServer.form(body, exchange)
      },
    },
  ],
]

/** Rules about several edits in one sync. */
export const severalEditsRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-SEVERAL-01',
    title: 'MUST upload every edit when several of one kind, or of all kinds, wait',
    requirements: ['D-4.3-3', 'D-4.3-16'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const present = kindsOf(lab)
      const rounds: readonly (readonly (typeof kinds)[number][])[] = [...present.map((kind) => [kind]), present]
      const titles = rounds.flatMap((round, index) =>
        (['change', 'remove'] as const)
          .filter((kind) => round.includes(kind))
          .flatMap((kind) => numbers.map((number) => `${index} ${kind} ${number}`)),
      )
      for (const title of titles) await other.create({ title })
      const phone = await lab.replica(server)
      await phone.sync()
      for (const [index, round] of rounds.entries()) {
        for (const kind of round) await typeThree(phone, kind, String(index))
        await phone.sync()
        const what = `three edits of each kind of ${round.join(', ')} waited`
        const came = server.things().map(({ title }) => String(title))
        const wanted = numbers.flatMap((number) => [
          ...(round.includes('create') ? [`${index} new ${number}`] : []),
          ...(round.includes('change') ? [`${index} changed ${number}`] : []),
        ])
        expectEqual(
          came.filter((title) => title.startsWith(`${index} `)).sort(),
          wanted.sort(),
          `the titles of the round in the account, because ${what}`,
          lastExchange(server.wire.exchanges, isUpload),
        )
        await expectConverged(server, phone, what)
      }
    },
  },
  {
    id: 'CLIENT-SEVERAL-02',
    title: 'MUST upload each edit once when two syncs run at the same time',
    features: ['concurrent'],
    requirements: ['D-4.3-19'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab, { behavior: recognizesNothing })
      await edit(phone)
      let release = (): void => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      server.wire.once('upload', async (step) => {
        const response = await step.forward()
        await released
        await step.send(response)
      })
      const { outcome, arrived } = arrivalOf(server, 'upload', () => phone.trySync(), 'an upload')
      await arrived
      const second = phone.trySync()
      // The end of the run can end it while nothing waits for it yet.
      second.catch(() => undefined)
      // A client that lets the second sync wait sends nothing now.
      await wait(300)
      release()
      await Promise.all([outcome, second])
      await phone.syncUntilDone('the server works')
      expectTitles(server, edited, 'two syncs ran at the same time, and no response was lost')
      await expectConverged(server, phone, 'two syncs ran at the same time')
    },
  },
  {
    id: 'CLIENT-SEVERAL-03',
    title: 'MUST send less at once when the server says that an upload is too large',
    section: '8',
    requirements: ['D-8-4', 'D-4.3-12'],
    check: async (lab) =>
      lab.forEachVariant(limited, async ([how, behavior], lab) => {
        const server = await lab.openServer({ behavior })
        const phone = await lab.replica(server)
        const titles = Array.from({ length: 60 }, (_, number) => `part ${number}`)
        const refs: string[] = []
        for (const title of titles) refs.push(await phone.create({ title, html: 'x'.repeat(500) }))
        await settle(phone)
        expectTitles(server, titles, `the server ${how}`)
        for (const [index, ref] of refs.entries()) await phone.change(ref, { title: `changed ${index}` })
        await settle(phone)
        const changed = refs.map((_, index) => `changed ${index}`)
        expectTitles(server, changed, `the server ${how}, and phone changed each thing`)
        for (const ref of refs.slice(0, 40)) await phone.remove(ref)
        await settle(phone)
        expectTitles(server, changed.slice(40), `the server ${how}, and phone deleted 40 things`)
        await expectConverged(server, phone, `the server ${how}`)
        const { lost } = await phone.state()
        expectThat(lost.length === 0, `nothing in lost, because the server ${how}`, `${showValue(lost)} came`)
      }),
  },
])

/** Syncs until nothing waits: a client may need several tries until its uploads are small enough. */
async function settle(phone: ReplicaDevice): Promise<void> {
  for (let count = 0; count < 8; count += 1) {
    const { error } = await phone.trySync()
    if (error === undefined && (await phone.state()).pending === 0) return
  }
}

/** Rules about edits of a part of a thing or of a tag. */
export const partialEditRules = clientRulesOf('replica', '2.2', [
  {
    id: 'CLIENT-PART-01',
    title: 'MUST keep the status of a todo, and the other fields, when it changes one field',
    section: '2.1',
    requirements: ['D-2.1-3'],
    check: async (lab) =>
      lab.forEachVariant<Partial<Behavior>>([{}, clearing], async (behavior, lab) => {
        const server = await lab.openServer({ behavior })
        const other = await server.device()
        await other.setTag('todo', { todo: true })
        const done = { tags: 'todo', date: 1_700_000_000, url: 'https://example.org/', html: 'x', todoStatus: true }
        await other.create({ title: 'theirs', ...done })
        const phone = await lab.replica(server)
        await phone.sync()
        const refs = [await phone.create({ title: 'mine', ...done }), await phone.refOf('theirs')]
        await phone.sync()
        const wanted = [
          { title: 'mine', ...done },
          { title: 'theirs', ...done },
        ].map((thing): JsonObject => thing)
        const edits: readonly JsonObject[] = [
          { html: 'changed' },
          { url: 'https://example.org/changed' },
          { tags: 'todo more' },
          { date: 1_600_000_000 },
          { archived: true },
          { title: 'changed' },
        ]
        for (const fields of edits) {
          for (const [index, ref] of refs.entries()) {
            await phone.change(ref, fields)
            wanted[index] = { ...wanted[index], ...fields }
          }
          await phone.sync()
          const stored = server.things().map(({ _id, ...thing }) => thing)
          expectEqual(
            sorted(stored),
            sorted(wanted),
            `both things in the account, after a change of ${Object.keys(fields).join()} alone`,
            lastExchange(server.wire.exchanges, isUpload),
          )
        }
        await expectConverged(server, phone, 'it uploaded its edits')
      }),
  },
  {
    id: 'CLIENT-PART-02',
    title: 'MUST keep the other settings of a tag when it changes one',
    features: ['set-tag'],
    requirements: ['D-2.2-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const settings = { favorite: true, color: '#a1b2c3', todo: true }
      const edits: readonly JsonObject[] = [
        { favorite: false },
        { color: '#000000' },
        { color: false },
        { todo: false },
        { favorite: true },
      ]
      for (const index of edits.keys()) await other.setTag(`tag${index}`, settings)
      const phone = await lab.replica(server)
      await phone.sync()
      for (const [index, setting] of edits.entries()) await phone.setTag(`tag${index}`, setting)
      await phone.sync()
      for (const [index, setting] of edits.entries())
        expectEqual(
          storedSettings(server, `tag${index}`),
          { ...settings, ...setting },
          `the settings of a tag of which phone changed only ${Object.keys(setting).join()}`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      await expectConverged(server, phone, 'it uploaded its settings')
    },
  },
  {
    id: 'CLIENT-PART-03',
    title: 'MUST upload a setting that waits, although the tag is listed meanwhile',
    features: ['set-tag'],
    requirements: ['D-2.2-3', 'D-4.3-9'],
    check: async (lab) => {
      for (const isNew of [true, false]) {
        const server = await lab.openServer()
        const other = await server.device()
        const phone = await lab.replica(server)
        if (!isNew) {
          await other.setTag('home', { favorite: false, color: '#000000', todo: false })
          await phone.sync()
        }
        await phone.setTag('home', { favorite: true })
        await other.setTag('home', { favorite: false, color: '#a1b2c3', todo: false })
        await phone.sync()
        await phone.sync()
        expectEqual(
          storedSettings(server, 'home').favorite,
          true,
          'favorite of the tag "home" in the account, which phone set before its sync',
          lastExchange(server.wire.exchanges, isSync),
        )
        await expectConverged(server, phone, 'it uploaded its setting')
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-PART-04',
    title: 'MUST keep tags apart whose names differ in one character or in letter case',
    features: ['set-tag'],
    requirements: ['D-2.2-1', 'D-2.2-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const [phone, laptop] = [await lab.replica(server), await lab.replica(server, 'laptop')]
      const names = [
        'work',
        'Work',
        'WORK',
        'ä',
        'Ä',
        '0',
        '00',
        '%41',
        'A',
        'a+b',
        'a&b',
        'constructor',
        'x'.repeat(60),
      ]
      const colorOf = (index: number): string => `#0000${String(index).padStart(2, '0')}`
      for (const [index, name] of names.entries()) await phone.setTag(name, { color: colorOf(index) })
      await phone.sync()
      for (const [index, name] of names.entries())
        expectEqual(
          storedSettings(server, name).color,
          colorOf(index),
          `the color of the tag ${showValue(name)} in the account`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      await laptop.sync()
      await expectConverged(server, laptop, 'phone uploaded the settings')
      for (const name of names.slice(0, 6)) await laptop.setTag(name, { color: false, favorite: true })
      await laptop.sync()
      await phone.sync()
      await expectConverged(server, phone, 'laptop changed some of them')
      await expectConverged(server, laptop, 'it changed some of them')
    },
  },
])

const sorted = (things: readonly JsonObject[]): readonly JsonObject[] =>
  [...things].sort((a, b) => (String(a.title) + String(a.html) < String(b.title) + String(b.html) ? -1 : 1))

/** Returns the settings of a tag in the account; each text of `todo` counts as true. */
function storedSettings(server: ScriptedServer, name: string): JsonObject {
  const { favorite = false, color = false, todo = false } = server.account().tags.get(name)?.settings ?? {}
  return { favorite, color, todo: todo !== false }
}

const later: Json = { error: 'temporarily_unavailable', error_description: 'later' }
const serverError = respondWith(500, { error: 'server_error', error_description: 'bug' }, { 'retry-after': '0' })

/** What keeps an upload from its end, as long as it lasts, and what it is called. */
const uploadTroubles: readonly (readonly [how: string, act: Act])[] = [
  ...losses.slice(0, 3),
  // CLIENT-STRANGE-01 has the others.
  ...strange.filter(([how]) => /HTML|object|500/.test(how)),
  ['503 came', respondWith(503, later, { 'retry-after': '0' })],
  ['429 came', respondWith(429, { error: 'slow_down', error_description: 'later' }, { 'retry-after': '0' })],
]

/** Rules about a sync that cannot end. */
export const failedSyncRules = clientRulesOf('replica', '7', [
  {
    id: 'CLIENT-FAILED-01',
    title: 'MUST keep every edit, also through restarts, while uploads fail and downloads work',
    requirements: ['D-4.3-8', 'D-4.3-9', 'D-7-2', 'D-8-2'],
    maxMs: 240_000,
    check: async (lab) =>
      lab.forEachVariant(uploadTroubles, async ([how, act], lab) => {
        const { server, phone } = await prepare(lab)
        await edit(phone)
        if (lab.has('set-tag')) await phone.setTag('home', { favorite: true })
        const stop = server.wire.always('upload', act)
        const { error } = await phone.trySync()
        const { pending } = await phone.state()
        // After the commit, a client can find its creations in a listing, and end without an error.
        const isCommitted = server.titled('new 1').length > 0
        expectThat(
          (isCommitted || error !== undefined || pending > 0) && error?.kind !== 'internal',
          `an error of sync, or edits that wait, because ${how}`,
          `${showError(error)} came`,
          lastExchange(server.wire.exchanges, isUpload),
        )
        // A program may tidy its folder at the first start, and then read it at the second.
        for (let count = isCommitted ? 0 : 1; count < 2; count += 1) {
          const titles = (await phone.read()).things.map(({ title }) => title)
          expectThat(
            edited.every((title) => titles.includes(title)) && !titles.includes('gone'),
            `the edits in read, because ${how}`,
            `read lists ${showValue(titles)}`,
          )
          await phone.restart()
        }
        const { lost } = await phone.state()
        expectThat(lost.length === 0, `nothing in lost, because ${how}`, `${showValue(lost)} came`)
        stop()
        for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('uploads work again')
        expectTitles(server, edited, `${how}, and uploads worked after a restart`)
        if (lab.has('set-tag'))
          expectEqual(storedSettings(server, 'home').favorite, true, `favorite of the tag "home", because ${how}`)
        await expectConverged(server, phone, `${how}, and uploads worked after a restart`)
      }),
  },
  {
    id: 'CLIENT-FAILED-02',
    title: 'MUST return an error when a download fails, and catch up afterwards',
    requirements: ['D-7-2', 'D-7-3', 'D-2.3-2'],
    maxMs: 240_000,
    check: async (lab) =>
      lab.forEachVariant([...losses, ...strange], async ([how, act], lab) => {
        const { server, phone } = await prepare(lab)
        const other = await server.device()
        await other.create({ title: 'missed' })
        const stop = server.wire.always('sync', act)
        const { error } = await phone.trySync()
        expectThat(
          error !== undefined && error.kind !== 'internal',
          `an error of sync, because ${how}`,
          `${showError(error)} came`,
          lastExchange(server.wire.exchanges, isSync),
        )
        stop()
        await phone.syncUntilDone('downloads work again')
        await expectConverged(server, phone, `${how}, and downloads worked after that`)
      }),
  },
  {
    id: 'CLIENT-FAILED-03',
    title: 'MUST NOT take a download for complete when one of its pages fails again and again',
    section: '4.3',
    features: ['paging'],
    requirements: ['D-4.3-11', 'D-2.3-2'],
    maxMs: 240_000,
    check: async (lab) =>
      lab.forEachVariant(
        [
          ['500', serverError],
          ['400', respondWith(400, { error: 'parameter_invalid', error_description: 'skip' })],
          ['a page of HTML', respondWith(200, '<!doctype html>', { 'content-type': 'text/html' })],
          ['no response', loseRequest],
        ] as const,
        async ([how, act], lab) => {
          const server = await openPaged(lab)
          const phone = await lab.replica(server)
          const stop = server.wire.always(isLaterPage, act)
          const { error } = await phone.trySync()
          expectPages(server)
          // A client may ask for everything at once, after a page failed.
          if (error === undefined) await expectConverged(server, phone, `its sync succeeded, though a page got ${how}`)
          stop()
          await phone.syncUntilDone('pages work again')
          await expectConverged(server, phone, `a page got ${how}, and pages worked after that`)
        },
      ),
  },
])

/** Returns a secret in the forms of a request, and with each character beyond ASCII escaped as in JSON. */
function formsInFiles(secret: string): readonly string[] {
  const escaped = secret.replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [...formsOfSecret(secret), escaped]
}

/** Rules about what a replica says about itself. */
export const stateRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-STATE-01',
    title: 'SHOULD say that an edit waits, of every kind, until it is uploaded',
    requirements: ['D-4.3-20'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      for (const kind of ['change', 'remove'])
        for (const number of numbers) await other.create({ title: `a ${kind} ${number}` })
      const phone = await lab.replica(server)
      await phone.sync()
      const expectWaiting = async (waits: boolean, when: string): Promise<void> => {
        const { pending } = await phone.state()
        const wanted = waits ? 'pending edits' : 'no pending edit'
        expectThat(pending > 0 === waits, `${wanted} in state ${when}`, `pending is ${pending}`)
      }
      await expectWaiting(false, 'before the first edit')
      for (const kind of kindsOf(lab)) {
        await typeThree(phone, kind, 'a')
        await expectWaiting(true, `after edits of the kind ${kind}`)
        const stop = server.wire.always('upload', serverError)
        await phone.trySync()
        await expectWaiting(true, `after a failed upload of edits of the kind ${kind}`)
        await phone.restart()
        await expectWaiting(true, `after a restart, with edits of the kind ${kind}`)
        stop()
        await phone.syncUntilDone('uploads work again')
        await expectWaiting(false, `after the upload of edits of the kind ${kind}`)
      }
    },
  },
  {
    id: 'CLIENT-STATE-02',
    title: 'SHOULD say which error stopped the last sync, and none after a success',
    section: '7',
    requirements: ['D-4.3-20'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      const isNone = async (): Promise<boolean> => ((await phone.state()).error ?? null) === null
      expectThat(await isNone(), 'error null in state after a success', 'there is an error')
      for (const act of [serverError, respondWith(200, '<!doctype html>', { 'content-type': 'text/html' })]) {
        const stop = server.wire.always('sync', act)
        await phone.trySync()
        const at = lastExchange(server.wire.exchanges, isSync)
        expectThat(!(await isNone()), 'an error in state after a sync that failed', 'error is null', at)
        stop()
        await phone.syncUntilDone('the server works again')
        expectThat(await isNone(), 'error null in state after a sync that succeeded', 'there is still an error')
      }
    },
  },
  {
    id: 'CLIENT-STATE-03',
    title: 'SHOULD NOT store the password in its folder when it has both tokens',
    section: '5.1',
    requirements: ['D-5.1-4'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      server.expireAccessTokens()
      await phone.sync()
      await phone.restart()
      await phone.sync()
      await phone.kill()
      const needles = formsInFiles(String(server.credentials().password)).flatMap((form) => [
        Buffer.from(form),
        Buffer.from(form, 'utf16le'),
        Buffer.from(Buffer.from(form).toString('base64')),
      ])
      for (const entry of await readdir(phone.folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue
        const bytes = await readFile(join(entry.parentPath, entry.name))
        const hasIt = needles.some((needle) => bytes.includes(needle))
        expectThat(!hasIt, 'no password in the folder of the replica', `the file ${entry.name} contains it`)
      }
    },
  },
])
