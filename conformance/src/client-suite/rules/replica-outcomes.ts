/*
 * Rules of the profile `replica` about how edits end: what a deletion can meet, what is reported as lost, and what
 * becomes of a status that is hidden. Start reading at `situations`.
 */
import { isObject, type JsonObject, listOf, parseJson, showValue } from '../../encoding.ts'
import { type Behavior, rightServer } from '../../model/behavior.ts'
import { ApiError } from '../../model/state.ts'
import { arrivalOf, type ClientLab, expectEqual, expectThat, lastExchange, type ReplicaDevice } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { OtherDevice, ScriptedServer } from '../scripted-server.ts'
import { isUpload, loseRequest, loseResponse, pass, valuesOf, type WireExchange, type WireRequest } from '../wire.ts'
import { expectTitles } from './replica-edits.ts'
import { rejectingUnknown } from './replica-listings.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** A server with the things "target" and "stays" of another device and "mine" of phone, which has synced. */
interface Scene {
  readonly server: ScriptedServer
  readonly other: OtherDevice
  readonly phone: ReplicaDevice
  /** The `_id` of "target". */
  readonly target: string
}

async function openScene(lab: ClientLab, behavior: Partial<Behavior> = {}): Promise<Scene> {
  const server = await lab.openServer({ behavior })
  const other = await server.device()
  const target = await other.create({ title: 'target', date: 1_700_000_000 })
  await other.create({ title: 'stays', date: 1_700_000_001 })
  const phone = await lab.replica(server)
  await phone.create({ title: 'mine', date: 1_700_000_002 })
  await phone.sync()
  return { server, other, phone, target }
}

/** A deletion, and what else happens to the same thing. */
interface Situation {
  readonly how: string
  readonly play: (scene: Scene) => Promise<void>
  /** Whether another device deletes too: then the server has to tell that to phone. */
  readonly isDeletedElsewhere?: true
  /** Whether phone may send the deletion again after the server committed it. */
  readonly isSentAgain?: true
}

const removeTitle = async (phone: ReplicaDevice, title: string): Promise<void> => phone.remove(await phone.refOf(title))

const create = async (phone: ReplicaDevice, title: string): Promise<string> =>
  phone.create({ title, date: 1_700_000_003 })

/** Kills a replica after the server committed its upload, and before the response. */
async function killInUpload({ server, phone }: Scene): Promise<void> {
  let commit = (): void => {}
  const committed = new Promise<void>((resolve) => {
    commit = resolve
  })
  server.wire.once('upload', async (step) => {
    await step.forward()
    commit()
  })
  const { arrived } = arrivalOf(server, 'upload', () => phone.trySync(), 'an upload')
  await arrived
  await committed
  await phone.restart()
}

/** What a deletion can meet. The only thing that is gone in the end is "target", or a new thing. */
const situations: readonly Situation[] = [
  { how: 'nothing else happened to the thing', play: async ({ phone }) => removeTitle(phone, 'target') },
  {
    how: 'another device had deleted the thing',
    isDeletedElsewhere: true,
    play: async ({ phone, other, target }) => {
      await removeTitle(phone, 'target')
      await other.remove(target)
    },
  },
  {
    how: 'another device deleted the thing just before the upload',
    isDeletedElsewhere: true,
    play: async ({ server, phone, other, target }) => {
      await removeTitle(phone, 'target')
      server.wire.once('upload', async (step) => {
        await other.remove(target)
        await pass(step)
      })
    },
  },
  {
    how: 'phone had changed the thing, and another device deleted it',
    isDeletedElsewhere: true,
    play: async ({ phone, other, target }) => {
      const ref = await phone.refOf('target')
      await phone.change(ref, { title: 'changed here', html: 'typed' })
      await phone.remove(ref)
      await other.remove(target)
    },
  },
  {
    how: 'another device had deleted one of three things',
    isDeletedElsewhere: true,
    play: async ({ phone, other, target }) => {
      for (const title of ['first', 'last']) await create(phone, title)
      await phone.sync()
      for (const title of ['first', 'target', 'last']) await removeTitle(phone, title)
      await other.remove(target)
    },
  },
  {
    how: 'another device had changed the thing',
    play: async ({ phone, other, target }) => {
      await removeTitle(phone, 'target')
      await other.change(target, { title: 'changed there', html: 'there' })
    },
  },
  {
    how: 'phone had changed the thing',
    play: async ({ phone }) => {
      const ref = await phone.refOf('target')
      await phone.change(ref, { title: 'changed here' })
      await phone.remove(ref)
    },
  },
  {
    how: 'the thing had never been uploaded',
    play: async ({ phone }) => {
      await phone.remove(await create(phone, 'new'))
      await removeTitle(phone, 'target')
    },
  },
  {
    how: 'the thing had never been uploaded, and the program was started again before and after the deletion',
    play: async ({ phone }) => {
      await create(phone, 'new')
      await phone.restart()
      await removeTitle(phone, 'new')
      await phone.restart()
      await removeTitle(phone, 'target')
    },
  },
  ...[
    { what: 'the response to the creation', act: loseResponse },
    { what: 'the request of the creation', act: loseRequest },
  ].map(({ what, act }) => ({
    how: `${what} had been lost`,
    play: async ({ server, phone }: Scene) => {
      await create(phone, 'new')
      server.wire.once('upload', act)
      await phone.trySync()
      await removeTitle(phone, 'new')
      await phone.restart()
      await removeTitle(phone, 'target')
    },
  })),
  ...[
    { what: 'the response to the deletion', act: loseResponse },
    { what: 'the request of the deletion', act: loseRequest },
  ].map(({ what, act }) => ({
    how: `${what} was lost`,
    isSentAgain: true as const,
    play: async ({ server, phone }: Scene) => {
      await removeTitle(phone, 'target')
      server.wire.once('upload', act)
      await phone.trySync()
    },
  })),
  {
    how: 'the program was killed after the server had committed the deletion',
    isSentAgain: true,
    play: async (scene) => {
      await removeTitle(scene.phone, 'target')
      await killInUpload(scene)
    },
  },
  {
    how: 'the program was killed after the server had committed the creation',
    play: async (scene) => {
      await create(scene.phone, 'new')
      await killInUpload(scene)
      await removeTitle(scene.phone, 'new')
      await removeTitle(scene.phone, 'target')
    },
  },
]

interface Treatment {
  readonly which: string
  readonly behavior: Partial<Behavior>
  /** Whether the server never says again that "target" is gone. */
  readonly forgets?: true
}

const accepting: Treatment = { which: 'accepts an unknown _id', behavior: {} }

/** Right servers that treat the deletion of an unknown thing in another way. */
const otherTreatments: readonly Treatment[] = [
  { which: 'rejects an unknown _id', behavior: rejectingUnknown },
  {
    which: 'lists own deletions',
    behavior: { listsDeleted: (thing, of) => rightServer.listsDeleted(thing, { ...of, own: new Set() }) },
  },
  {
    // No other device has to be told, so the server need not keep anything of the thing.
    which: 'rejects an unknown _id, and forgets what the only device deleted',
    behavior: { ...rejectingUnknown, listsDeleted: () => false },
    forgets: true,
  },
]

/** Returns the objects and texts of one upload parameter, from every form that it can have. */
function uploadedValues(request: WireRequest, kind: string): readonly unknown[] {
  const texts = [...valuesOf(request, kind), ...valuesOf(request, `${kind}[]`)]
  return texts.flatMap((text) => {
    const value = parseJson(text)
    // A plain _id can look like a number.
    return Array.isArray(value) ? value : [isObject(value) ? value : text]
  })
}

/** Returns the `_id`s that a request changes or deletes. */
const namedIds = (request: WireRequest): readonly string[] => [
  ...uploadedValues(request, 'changed_thing').map((thing) => String(isObject(thing) ? thing._id : thing)),
  ...uploadedValues(request, 'deleted_thing').map(String),
]

/** Expects every change and deletion on the wire to name a thing by an `_id` that the server gave it. */
function expectKnownIds(server: ScriptedServer, because: string): void {
  const known = new Set<unknown>(server.account().things.keys())
  const findWrong = ({ request }: WireExchange): string | undefined => namedIds(request).find((id) => !known.has(id))
  const at = server.wire.exchanges.find((exchange) => isUpload(exchange.request) && findWrong(exchange) !== undefined)
  expectThat(
    at === undefined,
    `only an _id that the server gave, in each change and deletion, when ${because}`,
    `${showValue(at === undefined ? '' : findWrong(at))} came`,
    at,
  )
}

/** Plays one situation until the replica is at rest: no edit waits, and it holds what the account holds. */
async function playSituation(
  lab: ClientLab,
  { how, play }: Situation,
  { which, behavior, forgets }: Treatment,
): Promise<Scene> {
  const because = `phone deleted a thing, ${how}, and the server ${which}`
  const scene = await openScene(lab, behavior)
  const { server, phone } = scene
  await play(scene)
  await phone.create({ title: 'after it', date: 1_700_000_004 })
  for (let count = 0; count < 2; count += 1) await phone.trySync()
  await phone.syncUntilDone(because, 2)
  await phone.sync(because)
  expectTitles(server, ['stays', 'mine', 'after it'], because)
  if (forgets) await expectRestWithout(scene, because)
  else await expectConverged(server, phone, because)
  return scene
}

/** Expects no edit that waits. A client may hold the thing again, when it reports that its deletion was rejected. */
async function expectRestWithout({ phone }: Scene, because: string): Promise<void> {
  const [{ things }, { lost, pending }] = [await phone.read(), await phone.state()]
  expectThat(pending === 0, `no edit that waits, because ${because}`, `state says that ${pending} wait`)
  const isHeld = things.some(({ title }) => title === 'target')
  expectThat(
    !isHeld || lost.length > 0,
    `the deleted thing not in read, or its deletion in lost of state, because ${because}`,
    'read lists it, and lost is empty',
  )
}

const describeLost = (lost: readonly string[]): string => `lost is ${showValue(lost)}`

/** Rules about what deletions meet, and what is reported as lost. */
export const outcomeRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-OUTCOME-01',
    title: 'MUST come to rest after a deletion, and name things by their `_id` only, whatever happened to the thing',
    requirements: ['D-4.3-4', 'D-4.3-7', 'D-4.3-12'],
    check: async (lab) => {
      for (const situation of situations) {
        const { server } = await playSituation(lab, situation, accepting)
        expectKnownIds(server, situation.how)
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-OUTCOME-02',
    title: 'MUST come to rest after a deletion that the server rejects, repeats or has forgotten',
    requirements: ['D-4.3-24', 'D-4.3-6', 'D-4.3-12'],
    check: async (lab) => {
      for (const treatment of otherTreatments)
        for (const situation of situations) {
          const isDue = treatment.forgets
            ? situation.isSentAgain
            : situation.isSentAgain || situation.isDeletedElsewhere
          if (!isDue) continue
          await playSituation(lab, situation, treatment)
          await lab.reset()
        }
    },
  },
  {
    id: 'CLIENT-OUTCOME-03',
    title: 'SHOULD NOT report anything as lost after its own deletion',
    requirements: ['D-4.3-23'],
    check: async (lab) => {
      for (const situation of situations) {
        const { phone } = await playSituation(lab, situation, accepting)
        const { lost } = await phone.state()
        const expected = `nothing in lost of state, because phone deleted the thing itself; ${situation.how}`
        expectThat(lost.length === 0, expected, describeLost(lost))
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-OUTCOME-04',
    title: 'SHOULD NOT report an edit as lost that the account has',
    requirements: ['D-4.3-23'],
    check: async (lab) => {
      const { server, phone, other, target } = await openScene(lab, rejectingUnknown)
      await phone.change(await phone.refOf('target'), { html: 'by phone' })
      await other.change(target, { title: 'target', tags: 'there' })
      await other.remove(String(server.titled('stays')[0]?._id))
      await phone.change(await phone.refOf('mine'), { title: 'mine changed' })
      await create(phone, 'new')
      server.wire.once('upload', loseResponse)
      await phone.trySync()
      for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the connection works again')
      expectTitles(server, ['target', 'mine changed', 'new'], 'phone uploaded its edits after a lost response')
      const { lost } = await phone.state()
      expectThat(lost.length === 0, 'nothing in lost of state, because every edit was uploaded', describeLost(lost))
    },
  },
  {
    id: 'CLIENT-OUTCOME-05',
    title: 'MUST report each edit that is lost, when several are',
    requirements: ['D-4.3-7'],
    check: async (lab) => {
      for (const count of [2, 3, 10])
        for (const moment of ['before the sync', 'just before the upload', 'in two parts'] as const) {
          await loseSeveral(lab, count, moment)
          await lab.reset()
        }
    },
  },
  {
    id: 'CLIENT-OUTCOME-06',
    title: 'MUST NOT let any edit disappear when the server rejects several',
    requirements: ['D-4.3-10'],
    check: async (lab) => {
      const { server, phone } = await openScene(lab, {
        keepText: (text) => {
          if (text.startsWith('bad')) throw new ApiError('text-invalid', 'this server does not take such a text')
          return text
        },
      })
      const bad = Array.from({ length: 4 }, (_, number) => `bad ${number}`)
      await create(phone, 'bad 0')
      await phone.change(await phone.refOf('target'), { title: 'bad 1' })
      await create(phone, 'good')
      await create(phone, 'bad 2')
      await phone.change(await phone.refOf('mine'), { title: 'bad 3' })
      for (let count = 0; count < 6; count += 1) await phone.trySync()
      const [{ things }, { lost }] = [await phone.read(), await phone.state()]
      const titles = things.map(({ title }) => title)
      const missing = bad.filter((title) => !titles.includes(title) && !lost.includes(title))
      expectThat(
        missing.length === 0,
        `each of ${showValue(bad)} in read, or in lost of state, because the server rejected it`,
        `${showValue(missing)} are in neither`,
        lastExchange(server.wire.exchanges, isUpload),
      )
    },
  },
  {
    id: 'CLIENT-OUTCOME-07',
    title: 'MUST NOT let tag settings disappear that the server rejects',
    section: '2.2',
    features: ['set-tag'],
    requirements: ['D-4.3-10'],
    check: async (lab) => {
      const { server, phone } = await openScene(lab, {
        keepColor: (color) => {
          if (color === '#bad000') throw new ApiError('text-invalid', 'this server does not take such a color')
          return color
        },
      })
      for (const name of ['first', 'second']) await phone.setTag(name, { color: '#bad000' })
      for (let count = 0; count < 6; count += 1) await phone.trySync()
      const [{ tags }, { lost, pending, error }] = [await phone.read(), await phone.state()]
      const at = lastExchange(server.wire.exchanges, isUpload)
      const shown = Object.values(tags).filter((settings) => isObject(settings) && settings.color === '#bad000')
      expectThat(
        shown.length + lost.length >= 2,
        'the settings of both tags in read, or in lost of state, because the server rejected them',
        `read has ${showValue(tags)}, and ${describeLost(lost)}`,
        at,
      )
      expectThat(
        lost.length > 0 || pending > 0 || (error ?? null) !== null,
        'the rejected settings in lost, an edit that waits, or an error in state',
        'state reports none of them',
        at,
      )
    },
  },
  {
    id: 'CLIENT-OUTCOME-08',
    title: 'MUST report a deletion that the server rejects and show the thing, or let the deletion wait',
    requirements: ['D-4.3-10', 'D-4.3-12'],
    check: async (lab) => {
      for (const status of [400, 403, 409, 422])
        for (const company of ['alone', 'beside other edits'] as const) {
          await rejectDeletion(lab, status, company)
          await lab.reset()
        }
    },
  },
])

/** A server that does not let a client delete the thing "target". */
const protectingTarget = (status: number): Partial<Behavior> => ({
  applied: (upload, _session, account) => {
    const titles = upload.deleted.map((id) => account.things.get(id)?.fields.title)
    if (titles.includes('target')) throw new ApiError('parameter-invalid', 'this thing cannot be deleted')
    return upload
  },
  errorStatus: (error) => (error.reason === 'parameter-invalid' ? status : rightServer.errorStatus(error)),
})

/** Lets a server reject a deletion of a thing that it has, and expects that the user can find out. */
async function rejectDeletion(lab: ClientLab, status: number, company: 'alone' | 'beside other edits'): Promise<void> {
  const { server, phone } = await openScene(lab, protectingTarget(status))
  await removeTitle(phone, 'target')
  if (company === 'beside other edits') {
    await create(phone, 'new')
    await phone.change(await phone.refOf('stays'), { html: 'typed' })
    await removeTitle(phone, 'mine')
  }
  let failed = false
  for (let count = 0; count < 6; count += 1) if ((await phone.trySync()).error !== undefined) failed = true
  const because = `the server rejected its deletion, ${company}, with status ${status}, and still has it`
  const [{ things }, { lost, pending, error }] = [await phone.read(), await phone.state()]
  const at = lastExchange(server.wire.exchanges, isUpload)
  // The deletion waits, and the server will be asked again.
  if (pending > 0 || (error ?? null) !== null) return
  expectThat(
    things.some(({ title }) => title === 'target'),
    `"target" in read, or an edit that waits, because ${because}`,
    'read does not list it, and nothing waits',
    at,
  )
  expectThat(
    failed || lost.length > 0,
    `the deletion of "target" in lost of state, or an error of sync, because ${because}`,
    'every sync succeeded, and lost is empty',
    at,
  )
}

/** Lets other devices delete things that phone changed, and expects each typed title in `lost`. */
async function loseSeveral(
  lab: ClientLab,
  count: number,
  moment: 'before the sync' | 'just before the upload' | 'in two parts',
): Promise<void> {
  const { server, phone, other } = await openScene(lab)
  const things = Array.from({ length: count }, (_, number) => ({ title: `lost ${number}`, local_id: `n${number}` }))
  await other.sync({ new_thing: things })
  await phone.sync()
  const idOf = (title: string): string => String(server.titled(title)[0]?._id)
  const ids = things.map(({ title }) => idOf(title))
  const remove = async (): Promise<void> => void (await other.sync({ deleted_thing: ids }))
  for (const [index, { title }] of things.entries()) {
    await phone.change(await phone.refOf(title), { title: `typed ${index}` })
    if (moment !== 'in two parts') continue
    await other.remove(ids[index] ?? '')
    if (index === 0) await phone.syncUntilDone('another device deleted a thing')
  }
  if (moment === 'before the sync') await remove()
  if (moment === 'just before the upload')
    server.wire.once('upload', async (step) => {
      await remove()
      await pass(step)
    })
  for (let tries = 0; tries < 2; tries += 1) await phone.syncUntilDone('another device deleted the things')
  const because = `another device deleted ${count} things ${moment}`
  expectTitles(server, ['target', 'stays', 'mine'], because)
  await expectConverged(server, phone, because)
  const { lost } = await phone.state()
  const missing = things.map((_, index) => `typed ${index}`).filter((title) => !lost.includes(title))
  expectThat(
    missing.length === 0,
    `each typed title in lost of state, because ${because}`,
    `${showValue(missing)} are missing, ${describeLost(lost)}`,
    lastExchange(server.wire.exchanges, isSync),
  )
}

const hiddenTag = 'task'

/** Expects the status of a thing in the account, while its tag makes it a todo. */
function expectStatus(server: ScriptedServer, title: string, status: boolean, because: string): void {
  expectEqual(
    server.titled(title)[0]?.todoStatus,
    status,
    `todoStatus of "${title}" in the account, because ${because}`,
    lastExchange(server.wire.exchanges, isUpload),
  )
}

/** Rules about the status of a thing that is not a todo for a while. */
export const hiddenStatusRules = clientRulesOf('replica', '2.1', [
  {
    id: 'CLIENT-HIDDEN-01',
    title: 'MUST hide the status of a thing, and show it again, when only the setting of its tag changes',
    requirements: ['D-2.2-4', 'D-2.1-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.setTag(hiddenTag, { todo: true })
      const phone = await lab.replica(server)
      await phone.sync()
      for (const status of [true, false]) {
        await other.create({ title: `theirs ${status}`, tags: hiddenTag, todoStatus: status })
        await phone.create({ title: `mine ${status}`, tags: hiddenTag, todoStatus: status })
      }
      await phone.sync()
      const expectShown = async (todo: boolean, when: string): Promise<void> => {
        for (const status of [true, false])
          for (const origin of ['theirs', 'mine']) {
            const { todoStatus } = await phone.find(`${origin} ${status}`)
            const wanted = todo ? status : null
            expectEqual(todoStatus ?? null, wanted, `todoStatus of "${origin} ${status}" in phone, ${when}`)
          }
      }
      await expectShown(true, 'while the tag makes todos')
      for (const todo of [false, true, false, 'strike']) {
        await other.setTag(hiddenTag, { todo })
        await phone.sync()
        const when = `after another device set todo of the tag to ${showValue(todo)}`
        await expectShown(todo !== false, when)
        await phone.restart()
        await expectShown(todo !== false, `${when}, and a restart`)
      }
    },
  },
  {
    id: 'CLIENT-HIDDEN-02',
    title: 'MUST NOT reset the status of a todo that was hidden, when the user changes another field',
    requirements: ['D-2.1-3', 'D-2.1-1'],
    check: async (lab) => {
      for (const typed of ['while it is hidden', 'after it is shown again'] as const)
        for (const how of ['the setting alone changed', 'the thing was listed meanwhile'] as const)
          for (const isRestarted of [false, true]) {
            await hideAndChange(lab, typed, how, isRestarted)
            await lab.reset()
          }
    },
  },
  {
    id: 'CLIENT-HIDDEN-03',
    title: 'SHOULD upload a status that the user gave a thing that is not a todo yet',
    requirements: ['D-2.1-1'],
    check: async (lab) => {
      const { server, phone, other } = await openScene(lab)
      const laptop = await lab.replica(server, 'laptop')
      await phone.create({ title: 'new', tags: hiddenTag, todoStatus: true, date: 5 })
      await phone.change(await phone.refOf('target'), { tags: hiddenTag, todoStatus: true })
      await phone.restart()
      await phone.sync()
      await phone.change(await phone.refOf('mine'), { tags: hiddenTag })
      await phone.sync()
      await phone.change(await phone.refOf('mine'), { todoStatus: true })
      await phone.sync()
      await other.setTag(hiddenTag, { todo: true })
      await laptop.sync()
      for (const title of ['new', 'target', 'mine']) {
        expectStatus(server, title, true, 'phone set it before the tag made todos')
        const { todoStatus } = await laptop.find(title)
        expectEqual(todoStatus, true, `todoStatus of "${title}" in laptop`)
      }
    },
  },
])

/** Hides the status of two todos, changes another field of them, and expects their previous status. */
async function hideAndChange(
  lab: ClientLab,
  typed: 'while it is hidden' | 'after it is shown again',
  how: 'the setting alone changed' | 'the thing was listed meanwhile',
  isRestarted: boolean,
): Promise<void> {
  const server = await lab.openServer()
  const other = await server.device()
  await other.setTag(hiddenTag, { todo: true })
  await other.create({ title: 'theirs', tags: hiddenTag, todoStatus: true })
  const phone = await lab.replica(server)
  await phone.sync()
  await phone.create({ title: 'mine', tags: hiddenTag, todoStatus: true })
  await phone.sync()
  const listed: readonly JsonObject[] = listOf(how === 'the setting alone changed' ? [] : server.things()).flatMap(
    (thing) =>
      isObject(thing) ? [{ _id: thing._id ?? null, title: thing.title ?? '', url: 'https://example.org/' }] : [],
  )
  await other.sync({ tag: { [hiddenTag]: { todo: false } }, ...(listed.length === 0 ? {} : { changed_thing: listed }) })
  await phone.sync()
  const edit = async (): Promise<void> => {
    if (isRestarted) await phone.restart()
    for (const title of ['theirs', 'mine']) await phone.change(await phone.refOf(title), { html: 'typed' })
    await phone.sync()
  }
  if (typed === 'while it is hidden') await edit()
  await other.setTag(hiddenTag, { todo: true })
  await phone.sync()
  if (typed === 'after it is shown again') await edit()
  const because = `phone changed only its html ${typed}; ${how}`
  for (const title of ['theirs', 'mine']) expectStatus(server, title, true, because)
  await expectConverged(server, phone, because)
}
