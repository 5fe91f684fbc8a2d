/*
 * Rules of the profile `replica` that follow tables of values and situations: each value reaches the account and another
 * device and comes back, each edit that waits is shown, and each thing in a listing counts. Start reading at `fieldRules`.
 */
import { isObject, type JsonObject, listOf, showValue } from '../../encoding.ts'
import { type Behavior, rightServer } from '../../model/behavior.ts'
import {
  arrivalOf,
  type ClientLab,
  expectEqual,
  expectThat,
  type HeldThing,
  lastExchange,
  type ReplicaDevice,
} from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { lastWithNews } from '../story.ts'
import { type Act, editJson, isUpload, loseResponse, pass } from '../wire.ts'
import { expectTitles } from './replica-edits.ts'
import { expectPages, filled, isLaterPage, openPaged } from './replica-listings.ts'

/** The tag whose things are todos, in every rule of this file. */
const todoTag = 'task'

const full = {
  tags: `${todoTag} home`,
  date: 1_700_000_000,
  url: 'https://example.org/a?b=1',
  html: '<p>x</p>',
  archived: true,
  todoStatus: true,
}

/** Fields of new things; each has one value that a client could replace by another. */
const newThings: readonly JsonObject[] = [
  // Any finite number is a date: 0, before 1970, before the year 1, and with a fraction.
  ...[0, -1, -62_135_596_801, 0.5, -1.25, 1_700_000_000.123, 4_102_444_800, 1e15].map((date) => ({ date })),
  ...['Shop ÄÖÜ', 'z a m', '#home @work a,b', '日本語 ſß', '0', 'constructor __proto__'].map((tags) => ({
    tags,
  })),
  ...['HTTPS://Example.org/%7Ea?B=c+d#E', 'mailto:a@example.org', 'no URL at all'].map((url) => ({ url })),
  ...['0', ' <P>both ends</P>\n', '&amp;&lt;'].map((html) => ({ html })),
  { archived: true },
  { archived: false },
  { tags: todoTag, todoStatus: true },
  { tags: todoTag, todoStatus: false },
]

/** A change of one field, from one value to another. */
interface Transition {
  readonly field: keyof typeof full
  readonly values: readonly [before: string | number | boolean, after: string | number | boolean]
}

/** Changes of one field; every one is played forth and back. */
const transitions: readonly Transition[] = [
  { field: 'tags', values: [full.tags, ''] },
  { field: 'tags', values: ['Home', 'home'] },
  { field: 'date', values: [5, 0] },
  { field: 'date', values: [1_700_000_000, 1_700_000_000.25] },
  { field: 'url', values: [full.url, ''] },
  { field: 'html', values: [full.html, ''] },
  { field: 'archived', values: [true, false] },
  { field: 'todoStatus', values: [true, false] },
]

const tagsOf = (tags: unknown): readonly string[] =>
  String(tags ?? '')
    .split(' ')
    .filter((tag) => tag !== '')

/** Returns what the given fields of a thing mean: the order of tags is free, and an empty url or html is none. */
function meaningOf(thing: JsonObject, names: readonly string[]): JsonObject {
  const values: JsonObject = {
    ...thing,
    tags: [...tagsOf(thing.tags)].sort(),
    url: thing.url ?? '',
    html: thing.html ?? '',
    archived: thing.archived === true,
  }
  const isTodo = tagsOf(thing.tags).includes(todoTag)
  const kept = names.filter((name) => name !== 'todoStatus' || isTodo)
  return Object.fromEntries(kept.map((name) => [name, values[name] ?? null]))
}

/** Expects the wanted fields of a thing; other fields are not compared. */
function expectFields(
  server: ScriptedServer,
  came: JsonObject | undefined,
  wanted: JsonObject,
  where: string,
): asserts came is JsonObject {
  const at = lastWithNews(server.wire.exchanges)
  expectThat(came !== undefined, `the thing ${showValue(wanted)} ${where}`, 'it is not there', at)
  const names = Object.keys(wanted)
  expectEqual(meaningOf(came, names), meaningOf(wanted, names), `the fields of a thing ${where}`, at)
}

/** Finds things by their titles, each of which is unique. */
function byTitle<Thing extends JsonObject>(things: readonly Thing[]): ReadonlyMap<unknown, Thing> {
  return new Map(things.map((thing) => [thing.title, thing]))
}

const heldBy = async (device: ReplicaDevice): Promise<ReadonlyMap<unknown, HeldThing>> =>
  byTitle((await device.read()).things)

/** Expects all these things in the account, and in both devices. */
async function expectEverywhere(
  server: ScriptedServer,
  wanted: readonly JsonObject[],
  devices: readonly ReplicaDevice[],
): Promise<void> {
  const stored = byTitle(server.things())
  for (const thing of wanted) expectFields(server, stored.get(thing.title), thing, 'in the account')
  for (const device of devices) {
    const held = await heldBy(device)
    for (const thing of wanted) expectFields(server, held.get(thing.title), thing, `in ${device.name}`)
    await expectConverged(server, device, 'both devices synced')
  }
}

/** Opens a server whose tag `todoTag` makes todos, and two replicas that know it. */
async function openTwo(
  lab: ClientLab,
): Promise<{ readonly server: ScriptedServer; readonly phone: ReplicaDevice; readonly laptop: ReplicaDevice }> {
  const server = await lab.openServer()
  await (await server.device()).setTag(todoTag, { todo: true })
  const [phone, laptop] = [await lab.replica(server), await lab.replica(server, 'laptop')]
  for (const device of [phone, laptop]) await device.sync()
  return { server, phone, laptop }
}

/** Writes null for each member that a thing or a list of a response could have. */
function withNulls(body: Record<string, unknown>): JsonObject {
  const none = { url: null, html: null, archived: null, todoStatus: null }
  const things = isObject(body.things) ? body.things : {}
  const changed = Array.isArray(things.changed) ? things.changed.map((thing) => ({ ...none, ...thing })) : null
  return { thingCount: null, tags: null, ...body, things: { new: null, deleted: null, ...things, changed } }
}

/** Rules about the values of fields. */
export const fieldRules = clientRulesOf('replica', '2.1', [
  {
    id: 'CLIENT-FIELD-01',
    title: 'MUST carry every value of a new thing to the account and to another device',
    requirements: ['D-2.1-1', 'D-2.1-6', 'D-4.3-21'],
    check: async (lab) => {
      const { server, phone, laptop } = await openTwo(lab)
      const wanted = newThings.map((fields, index) => ({ title: `new ${index}`, ...fields }))
      for (const fields of wanted) await phone.create(fields)
      const shown = await heldBy(phone)
      for (const fields of wanted) expectFields(server, shown.get(fields.title), fields, 'in phone, before its upload')
      await phone.sync()
      await laptop.sync()
      await expectEverywhere(server, wanted, [phone, laptop])
      await phone.restart()
      await expectEverywhere(server, wanted, [phone])
    },
  },
  {
    id: 'CLIENT-FIELD-02',
    title: 'MUST carry every change of a field to the account and to another device, and back',
    requirements: ['D-2.1-1', 'D-2.1-3', 'D-2.1-5', 'D-4.3-21'],
    check: async (lab) => {
      const { server, phone, laptop } = await openTwo(lab)
      const other = await server.device()
      const things = transitions.flatMap(({ field, values }, index) =>
        ['own', 'received'].map((origin) => ({ title: `${origin} ${index} ${field}`, origin, field, values })),
      )
      const withValue = ({ title, field, values }: (typeof things)[number], which: 0 | 1): JsonObject => {
        const { todoStatus, ...fields } = full
        // A client does not know the status of a thing that was no todo for a while.
        return { title, ...fields, ...(field === 'tags' ? {} : { todoStatus }), [field]: values[which] }
      }
      for (const thing of things) {
        const fields = withValue(thing, 0)
        if (thing.origin === 'own') await phone.create(fields)
        else await other.create(fields)
      }
      for (const device of [phone, laptop]) await device.sync()
      for (const [device, receiver, which] of [
        [phone, laptop, 1],
        [laptop, phone, 0],
      ] as const) {
        const held = await heldBy(device)
        for (const { title, field, values } of things) {
          const ref = held.get(title)?.ref
          expectThat(ref !== undefined, `the thing "${title}" in ${device.name}`, 'read does not list it')
          await device.change(ref, { [field]: values[which] })
        }
        const wanted = things.map((thing) => withValue(thing, which))
        const shown = await heldBy(device)
        for (const thing of wanted)
          expectFields(server, shown.get(thing.title), thing, `in ${device.name}, before its upload`)
        await device.sync()
        await receiver.sync()
        await expectEverywhere(server, wanted, [device, receiver])
      }
    },
  },
  {
    id: 'CLIENT-FIELD-03',
    title: 'MUST hold every value that another device uploaded',
    requirements: ['D-2.1-6'],
    check: async (lab) => {
      const { server, phone } = await openTwo(lab)
      const other = await server.device()
      const wanted = newThings.map((fields, index) => ({ title: `theirs ${index}`, ...fields }))
      for (const fields of wanted) await other.create(fields)
      // A title may be empty.
      await other.create({ title: '', html: 'without a title', date: 1 })
      await phone.sync()
      await expectEverywhere(server, wanted, [phone])
      await phone.restart()
      await phone.sync()
      await expectEverywhere(server, wanted, [phone])
    },
  },
  {
    id: 'CLIENT-FIELD-04',
    title: 'SHOULD take null in a listing for an absent member',
    section: '9',
    requirements: ['D-9-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      server.wire.always('sync', editJson(withNulls))
      await other.create({ title: 'plain', date: 1 })
      const id = await other.create({ title: 'was full', ...full })
      const phone = await lab.replica(server)
      const expectNone = async (title: string): Promise<void> => {
        const { todoStatus, ...thing } = await phone.find(title)
        expectFields(server, thing, { archived: false, url: '', html: '' }, `in phone, with the title "${title}"`)
        expectEqual(todoStatus ?? null, null, `todoStatus of "${title}", which is listed as null`)
      }
      await phone.sync('members are null')
      await expectNone('plain')
      await other.change(id, { title: 'now plain', tags: '', url: '', html: '', archived: false })
      await phone.sync('members are null')
      await expectNone('now plain')
      await phone.change(await phone.refOf('plain'), { title: 'changed' })
      await phone.sync('members are null')
      await expectConverged(server, phone, 'null and absent are the same')
    },
  },
])

/** Settings of tags, and whether they make todos. */
const tagSettings: readonly (readonly [name: string, settings: JsonObject])[] = [
  ['shop', { favorite: false, color: false, todo: 'dont-strike' }],
  ['work', { favorite: true, color: '#a1b2c3', todo: 'strike' }],
  ['red', { favorite: false, color: '#ff0000', todo: false }],
  ['star', { favorite: true, color: false, todo: false }],
]

/** Tags of things; the server decides which of them are todos. */
const tagTexts: readonly string[] = [
  ...['shop', 'work', 'red', 'star', 'red star', 'red shop', 'star work', 'none'],
  ...['shopping', 'workshop', 'sho', 'Shop', 'shop-2', '#shop', 'pre-work', 'strike', ''],
]

/** Expects todoStatus as the server lists it, of every thing in the account. */
async function expectTodos(server: ScriptedServer, device: ReplicaDevice, because: string): Promise<void> {
  const held = await heldBy(device)
  for (const { title, tags, todoStatus } of server.things())
    expectEqual(
      held.get(title)?.todoStatus ?? null,
      todoStatus ?? null,
      `todoStatus of the thing "${title}" with the tags "${tags}" in ${device.name}, because ${because}`,
      lastWithNews(server.wire.exchanges),
    )
}

/** Rules about what makes a todo. */
export const todoRules = clientRulesOf('replica', '2.2', [
  {
    id: 'CLIENT-TODO-01',
    title: 'MUST show todoStatus on the things that are todos, and on no others',
    requirements: ['D-2.2-4', 'D-2.1-5'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      for (const [name, settings] of tagSettings) await other.setTag(name, settings)
      const ids = new Map<string, string>()
      for (const tags of tagTexts)
        for (const status of [true, false])
          ids.set(`${tags} ${status}`, await other.create({ title: `${tags} ${status}`, tags, todoStatus: status }))
      const phone = await lab.replica(server)
      await phone.sync()
      await expectTodos(server, phone, 'a full sync listed the things and the settings')
      // Each thing gets the tags of the next one.
      const changes = [...ids].map(([title, _id], index) => {
        const tags = tagTexts[(Math.floor(index / 2) + 1) % tagTexts.length] ?? ''
        return { _id, title, tags, todoStatus: title.endsWith('true') }
      })
      await other.sync({ changed_thing: changes })
      await phone.sync()
      await expectTodos(server, phone, 'another device changed the tags of each thing')
      // The settings change places, and every thing is listed again with its status.
      const swapped = {
        shop: { todo: false, color: '#00ff00' },
        red: { todo: 'dont-strike' },
        star: { todo: 'strike' },
      }
      await other.sync({ tag: swapped, changed_thing: changes })
      await phone.sync()
      await expectTodos(server, phone, 'another device changed the settings and each thing')
      await phone.restart()
      await expectTodos(server, phone, 'it was started again')
    },
  },
])

/** Expects a device to show exactly these titles. */
async function expectShown(device: ReplicaDevice, titles: readonly string[], when: string): Promise<void> {
  const shown = (await device.read()).things.map(({ title }) => title)
  expectEqual([...shown].sort(), [...titles].sort(), `the titles in read of ${device.name}, ${when}`)
}

/** Rules about edits that wait. */
export const waitingRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-WAITING-01',
    title: 'MUST show its things with every edit that waits',
    requirements: ['D-4.3-21', 'D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      for (const title of ['theirs', 'their gone']) await other.create({ title, ...full })
      const phone = await lab.replica(server)
      for (const title of ['mine', 'my gone']) await phone.create({ title, ...full })
      await phone.sync()
      await phone.create({ title: 'new' })
      await phone.remove(await phone.create({ title: 'new and gone' }))
      for (const title of ['my gone', 'their gone']) await phone.remove(await phone.refOf(title))
      for (const title of ['mine', 'theirs'])
        await phone.change(await phone.refOf(title), { title: `${title} changed`, html: 'typed' })
      const titles = ['new', 'mine changed', 'theirs changed']
      await expectShown(phone, titles, 'while the edits wait')
      await phone.restart()
      await expectShown(phone, titles, 'while the edits wait, after a restart')
      const stop = server.wire.always('upload', loseResponse)
      await phone.trySync()
      await expectShown(phone, titles, 'after a lost response')
      await phone.restart()
      await expectShown(phone, titles, 'after a lost response and a restart')
      stop()
      for (const title of ['mine changed', 'theirs changed']) {
        const { html } = await phone.find(title)
        expectEqual(html, 'typed', `html of "${title}", which waits`)
      }
      await phone.syncUntilDone('the connection works again')
      await expectShown(phone, titles, 'after a sync')
      expectTitles(server, titles, 'phone uploaded its edits')
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
  {
    id: 'CLIENT-WAITING-02',
    title: 'MUST upload what was typed while an upload of the same thing was under way',
    features: ['concurrent'],
    requirements: ['D-4.3-16', 'D-4.3-21'],
    check: async (lab) => {
      for (const sent of ['creation', 'change'] as const)
        for (const [typed, type] of typedMeanwhile)
          for (const [how, behavior, end] of uploadEnds) {
            await typeMeanwhile(lab, {
              sent,
              type,
              behavior,
              end,
              because: `${typed} while its ${sent} was under way, and ${how}`,
            })
            await lab.reset()
          }
    },
  },
])

/** A server that lists own uploads like those of other devices. */
const listingOwn: Partial<Behavior> = {
  listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, own: new Set() }),
  listsDeleted: (thing, of) => rightServer.listsDeleted(thing, { ...of, own: new Set() }),
}

type SendsResponse = (
  step: Parameters<Act>[0],
  response: Awaited<ReturnType<Parameters<Act>[0]['forward']>>,
) => Promise<void>

const sendIt: SendsResponse = async (step, response) => step.send(response)

/** How an upload ends, with which server. */
const uploadEnds: readonly (readonly [how: string, behavior: Partial<Behavior>, end: SendsResponse])[] = [
  ['the response did not list it', {}, sendIt],
  ['the response listed it', listingOwn, sendIt],
  ['the response was lost', {}, async (step) => step.drop('lost after the server had committed the request')],
]

interface Typed {
  readonly type: (phone: ReplicaDevice, ref: string) => Promise<void>
  /** Fields of the thing at the end; none when it is deleted. */
  readonly fields?: JsonObject
}

/** What a user can do with a thing meanwhile. */
const typedMeanwhile: readonly (readonly [what: string, typed: Typed])[] = [
  ['it was deleted', { type: async (phone, ref) => phone.remove(ref) }],
  [
    'the same field was changed',
    {
      type: async (phone, ref) => phone.change(ref, { title: 'meanwhile' }),
      fields: { title: 'meanwhile', html: 'sent', tags: 'a' },
    },
  ],
  [
    'another field was changed',
    {
      type: async (phone, ref) => phone.change(ref, { tags: 'meanwhile' }),
      fields: { title: 'sent', html: 'sent', tags: 'meanwhile' },
    },
  ],
]

/** Plays one edit that is typed after the server got an upload, and before its response. */
async function typeMeanwhile(
  lab: ClientLab,
  situation: {
    readonly sent: 'creation' | 'change'
    readonly type: Typed
    readonly behavior: Partial<Behavior>
    readonly end: SendsResponse
    readonly because: string
  },
): Promise<void> {
  const { sent, type: typed, behavior, end, because } = situation
  const server = await lab.openServer({ behavior })
  const phone = await lab.replica(server)
  await phone.sync()
  const first = { title: 'sent', html: 'sent', tags: 'a', date: 1_700_000_000 }
  const ref = await phone.create(sent === 'creation' ? first : { ...first, title: 'first', html: 'first' })
  if (sent === 'change') {
    await phone.sync()
    await phone.change(ref, { title: 'sent', html: 'sent' })
  }
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  server.wire.once('upload', async (step) => {
    const response = await step.forward()
    await released
    await end(step, response)
  })
  const { outcome, arrived } = arrivalOf(server, 'upload', () => phone.trySync(), 'an upload')
  await arrived
  await typed.type(phone, ref)
  const titles = typed.fields === undefined ? [] : [String(typed.fields.title)]
  await expectShown(phone, titles, `because ${because}`)
  release()
  await outcome
  await expectShown(phone, titles, `because ${because}`)
  for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server works')
  expectTitles(server, titles, because)
  if (typed.fields !== undefined)
    expectFields(server, server.things()[0], typed.fields, `in the account, because ${because}`)
  await expectConverged(server, phone, because)
}

/** A server that brings a deleted thing back when another device changes it. It should not, but it may. */
const revivingServer: Partial<Behavior> = {
  findToChange: (account, id) => {
    const thing = account.things.get(id)
    if (thing !== undefined) thing.deleted = false
    return thing
  },
}

/**
 * Lets each first page list a thing as changed and then as deleted, as a server does that reads both lists without a
 * snapshot. The other order is not played: there the thing can have come back between the two.
 */
function listingTwice(thing: JsonObject): Act {
  const list = editJson((body) => {
    const { changed, deleted, ...rest } = isObject(body.things) ? body.things : {}
    const others = listOf(deleted).filter((id) => id !== thing._id)
    const added = 2 + others.length - listOf(deleted).length
    return {
      ...body,
      thingCount: Number(body.thingCount ?? 0) + added,
      things: { ...rest, changed: [thing, ...listOf(changed)], deleted: [thing._id, ...others] },
    }
  })
  return async (step) => (isLaterPage(step.request) ? pass(step) : list(step))
}

/** Rules about deletions in listings. */
export const deletionRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-DELETION-01',
    title: 'MUST remove what the response to its upload lists as deleted',
    requirements: ['D-4.3-6', 'D-4.3-7'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const ids: string[] = []
      for (const title of ['theirs', 'changed here', 'deleted here']) ids.push(await other.create({ title, date: 5 }))
      await other.create({ title: 'stays' })
      const phone = await lab.replica(server)
      await phone.sync()
      await phone.change(await phone.refOf('changed here'), { title: 'typed for nothing' })
      await phone.remove(await phone.refOf('deleted here'))
      await phone.create({ title: 'new' })
      // The other device deletes after everything that phone downloads before its upload.
      server.wire.once('upload', async (step) => {
        for (const id of ids) await other.remove(id)
        await pass(step)
      })
      for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('another device deleted three things')
      const because = 'another device deleted three things just before an upload'
      expectTitles(server, ['stays', 'new'], because)
      await expectConverged(server, phone, because)
      const { lost } = await phone.state()
      expectThat(
        lost.includes('typed for nothing'),
        '"typed for nothing" in lost of state',
        `lost is ${showValue(lost)}`,
        lastExchange(server.wire.exchanges, isUpload),
      )
    },
  },
  {
    id: 'CLIENT-DELETION-02',
    title: 'MUST hold a thing again that is listed after its deletion',
    requirements: ['D-4.3-22', 'D-4.3-12'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: revivingServer })
      const other = await server.device()
      const ids = [await other.create({ title: 'deleted there' }), await other.create({ title: 'deleted here' })]
      const phone = await lab.replica(server)
      await phone.sync()
      await other.remove(ids[0] ?? '')
      await phone.remove(await phone.refOf('deleted here'))
      for (let count = 0; count < 2; count += 1) await phone.sync()
      await expectConverged(server, phone, 'both things are deleted')
      for (const id of ids) await other.change(id, { title: `back ${id}` })
      await phone.sync()
      await expectConverged(server, phone, 'both things came back')
      const [title, second] = ids.map((id) => `back ${id}`)
      await phone.change(await phone.refOf(title ?? ''), { title: 'changed again' })
      await phone.remove(await phone.refOf(second ?? ''))
      for (let count = 0; count < 2; count += 1) await phone.sync()
      expectTitles(server, ['changed again'], 'phone changed one of the things that came back, and deleted the other')
      await expectConverged(server, phone, 'it changed and deleted things that came back')
    },
  },
  {
    id: 'CLIENT-DELETION-03',
    title: 'SHOULD remove a thing that one response lists as changed and as deleted',
    requirements: ['D-4.3-6', 'D-4.3-7'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const gone = { title: 'gone', tags: '', date: 5 }
      const id = await other.create(gone)
      const [phone, laptop] = [await lab.replica(server), await lab.replica(server, 'laptop')]
      await phone.sync()
      await other.remove(id)
      server.wire.always('sync', listingTwice({ _id: id, ...gone }))
      for (const device of [phone, laptop]) {
        await device.sync('a thing is in both lists')
        await expectConverged(server, device, 'the thing is deleted')
      }
      await phone.create({ title: 'new' })
      await phone.sync('a thing is in both lists of the response to an upload')
      await expectConverged(server, phone, 'the other thing is deleted')
    },
  },
])

/** Lets the first page have only one tag, and later pages only the other one. */
const splitTags = (first: string, later: string): Act => {
  const without = (name: string): Act =>
    editJson((body) => {
      const tags = isObject(body.tags) ? Object.entries(body.tags).filter(([tag]) => tag !== name) : []
      return { ...body, tags: Object.fromEntries(tags) }
    })
  return async (step) => without(isLaterPage(step.request) ? first : later)(step)
}

/** Rules about pages of deletions, and about settings on pages. */
export const mixedPageRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-PAGE-06',
    title: 'MUST take over every page of an incremental sync, and pages of deletions only',
    features: ['paging'],
    requirements: ['D-4.3-11', 'D-4.3-6'],
    check: async (lab) => {
      const server = await lab.openServer(filled(1100, { deletedFirst: true }))
      const other = await server.device()
      const phone = await lab.replica(server)
      await phone.sync()
      const ids = server.things().map(({ _id }) => String(_id))
      const changed = ids.slice(0, 60).map((_id) => ({ _id, title: `changed ${_id}` }))
      await other.sync({ deleted_thing: ids.slice(60), changed_thing: changed })
      await phone.sync()
      await expectConverged(server, phone, 'another device deleted almost everything, and changed the rest')
    },
  },
  {
    id: 'CLIENT-PAGE-07',
    title: 'MUST take tag settings from every page that has some',
    section: '2.2',
    features: ['paging'],
    requirements: ['D-2.2-5', 'D-4.3-11'],
    check: async (lab) => {
      const server = await openPaged(lab)
      const other = await server.device()
      for (const name of ['first', 'later']) await other.setTag(name, { favorite: true, color: '#a1b2c3' })
      server.wire.always('sync', splitTags('first', 'later'))
      const phone = await lab.replica(server)
      await phone.sync()
      expectPages(server)
      await expectConverged(server, phone, 'it downloaded all pages, each with settings of its own')
    },
  },
])
