import { setTimeout as pause } from 'node:timers/promises'
import { readAccessToken } from '../access-tokens.ts'
import { showValue } from '../encoding.ts'
import { expect, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { asSetup } from '../result.ts'
import { coreRulesOf } from '../rule.ts'
import { isSyncResponse, readSyncResponse, type SyncParameters, type SyncResponse } from '../sync-messages.ts'
import { readRequestToken, refresh, takeGrant } from './token-responses-5-2.ts'

/** One write that is in flight together with another: its preparation, its request, and its visible effect. */
interface Write {
  readonly prepare: (lab: Lab, phone: Replica) => Promise<string>
  readonly send: (replica: Replica, from: number, subject: string, word: string) => Promise<SyncResponse>
  readonly isDone: (full: SyncResponse, subject: string, word: string) => boolean
  /** Whether an incremental sync lists its effect. */
  readonly isNotified: (incremental: SyncResponse, subject: string, word: string) => boolean
}

/** Returns the title of a listed thing. */
const titleOf = (full: SyncResponse, id: string): unknown => full.things.get(id)?.title

const isTitled = (response: SyncResponse, word: string): boolean =>
  [...response.things.values()].some((thing) => thing.title === word)
const isFavorite = (response: SyncResponse, name: string): boolean => response.tags.get(name)?.favorite === true

/** The four kinds of writes in a sync. */
const writes: Readonly<Record<'create' | 'change' | 'delete' | 'set a tag', Write>> = {
  create: {
    prepare: async () => '',
    send: (replica, from, _subject, word) => replica.sync({ from, new_thing: [{ local_id: word, title: word }] }),
    isDone: (full, _subject, word) => isTitled(full, word),
    isNotified: (incremental, _subject, word) => isTitled(incremental, word),
  },
  change: {
    prepare: (_lab, phone) => phone.create(),
    send: (replica, from, subject, word) => replica.sync({ from, changed_thing: [{ _id: subject, title: word }] }),
    isDone: (full, subject, word) => titleOf(full, subject) === word,
    isNotified: (incremental, subject, word) => titleOf(incremental, subject) === word,
  },
  delete: {
    prepare: (_lab, phone) => phone.create(),
    send: (replica, from, subject) => replica.sync({ from, deleted_thing: [subject] }),
    isDone: (full, subject) => !full.things.has(subject),
    isNotified: (incremental, subject) => incremental.deleted.includes(subject),
  },
  'set a tag': {
    prepare: async (lab) => lab.unique(),
    send: (replica, from, subject) =>
      replica.sync({ from, tag: { [subject]: { favorite: true, color: false, todo: false } } }),
    isDone: (full, subject) => isFavorite(full, subject),
    isNotified: (incremental, subject) => isFavorite(incremental, subject),
  },
}

/** The names of the writes. */
type WriteName = keyof typeof writes

const names = Object.keys(writes) as WriteName[]

/** Each pair of writes once. */
const pairsOfWrites = names.flatMap((one, index) =>
  names.slice(index).map((other): readonly [WriteName, WriteName] => [one, other]),
)

/** The names of the writes in the faults of the self-test. */
const codeOfWrite = { create: 'new', change: 'change', delete: 'delete', 'set a tag': 'tag' } as const

const writerNames = ['phone', 'tablet', 'desktop', 'watch']

const openWriters = async (lab: Lab): Promise<Replica[]> => {
  const writers = await Promise.all(writerNames.map((name) => lab.replica(name)))
  // The replicas get their tokens before the race begins.
  await Promise.all(writers.map((writer) => writer.position()))
  return writers
}

/** Follows the positions until `isOver`, and then once more; returns the contents of every incremental sync. */
const followIncrementalSyncs = async (reader: Replica, start: number, isOver: () => boolean) => {
  const notified = new Set<string>()
  const removed = new Set<string>()
  let from = start
  for (let last = false; ; last = isOver()) {
    const response = await reader.sync({ from })
    for (const id of response.changed) notified.add(id)
    for (const id of response.deleted) removed.add(id)
    from = response.pos
    if (last) return { notified, removed: removed }
  }
}

/** Returns both results. It waits for both even when one fails: no request may be in flight after a rule. */
const waitForBoth = async <A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> => {
  const [first, second] = await Promise.allSettled([one, other])
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return [first.value, second.value]
}

const race = async <T>(reader: Replica, work: () => Promise<T>) => {
  const start = await reader.position()
  let over = false
  const working = work().finally(() => {
    over = true
  })
  const [result, seen] = await waitForBoth(
    working,
    followIncrementalSyncs(reader, start, () => over),
  )
  return { result, ...seen }
}

/** Creates things as the checked step; returns their IDs in the order of the titles. */
const createNow = async (writer: Replica, from: number, ...titles: readonly string[]): Promise<string[]> => {
  const response = await writer.sync({ from, new_thing: titles.map((title) => ({ local_id: title, title })) })
  return titles.map((title) => response.created.get(title) ?? `no id for local_id ${title}`)
}

/**
 * Runs the steps of one client in sequence, with short random pauses: without pauses, clients with equal response times
 * run in step and never overlap.
 */
const repeat = async <T>(lab: Lab, times: number, step: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let count = 0; count < times; count += 1) {
    await pause(lab.random() * 8)
    results.push(await step())
  }
  return results
}

/**
 * Several concurrent clients (implied by interface 4.3: a client that follows its positions misses nothing). The rules
 * run alone only so that other rules do not slow the race down.
 */
export const concurrencyRules = coreRulesOf('4.3', [
  {
    // Each change must come after every assigned position: a reader between two commits is the hard case.
    id: 'SYNC-RACE-01',
    title: 'MUST NOT let a reader that follows its positions miss things that others create at the same time',
    basis: 'implied',
    requirements: ['C-4.3-31'],
    faults: ['pos-before-slow-commit', 'pos-read-after-slow-listing'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const reader = await lab.replica('laptop')
      const from = await reader.position()
      const create = (writer: Replica) => repeat(lab, 6, () => createNow(writer, from, lab.unique()))
      const { result, notified } = await race(reader, () => Promise.all(writers.map(create)))
      const missing = result.flat(2).filter((id) => !notified.has(id))
      const expected =
        'all 24 things that 4 clients created, over the incremental syncs that laptop read meanwhile and afterwards'
      expect(missing.length === 0, expected, `${missing.length} were in none of them: ${showValue(missing)}`)
    },
  },
  {
    id: 'SYNC-RACE-02',
    title: 'MUST NOT let a reader that follows its positions miss deletions made at the same time',
    basis: 'implied',
    requirements: ['C-4.3-31', 'C-4.3-32'],
    faults: ['parallel-deletions-lost', 'pos-before-slow-commit', 'full-keeps-deleted'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const reader = await lab.replica('laptop')
      const ids = await reader.createMany(Array.from({ length: 12 }, () => ({})))
      const remove = (writer: Replica, index: number) =>
        repeat(lab, 3, async () => writer.remove(ids.splice(index % ids.length, 1)[0] ?? ''))
      const all = [...ids]
      const { removed } = await race(reader, () => Promise.all(writers.map(remove)))
      const missing = all.filter((id) => !removed.has(id))
      expect(
        missing.length === 0,
        'all 12 deletions by 4 clients in the incremental syncs that laptop read',
        `missing: ${showValue(missing)}`,
      )
      const full = await reader.listAll()
      const left = all.filter((id) => full.things.has(id))
      expect(left.length === 0, 'none of the 12 deleted things in a full sync', showValue(left), full)
    },
  },
  {
    id: 'SYNC-RACE-03',
    title: 'MUST keep every one of several uploads that run at the same time',
    basis: 'implied',
    requirements: ['C-4.3-33'],
    faults: [
      'half-batch-lost',
      'parallel-creates-share-id',
      'lost-update-under-concurrency',
      'parallel-uploads-unanswered',
    ],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const titles = writers.map(() => Array.from({ length: 4 }, () => lab.unique()))
      const from = await (await lab.replica('laptop')).position()
      const create = (writer: Replica, index: number) => createNow(writer, from, ...(titles[index] ?? []))
      const ids = (await Promise.all(writers.map(create))).flat()
      const full = await (await lab.replica('laptop')).listAll()
      const listed = ids.map((id) => full.things.get(id)?.title ?? null)
      expectSame(listed, titles.flat(), 'the titles of 16 things that 4 clients created in 4 concurrent uploads', full)
    },
  },
  {
    id: 'SYNC-RACE-04',
    title: 'MUST keep changes of different things that run at the same time',
    basis: 'implied',
    requirements: ['C-4.3-33'],
    faults: ['lost-update-under-concurrency'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const ids = await (await lab.replica('laptop')).createMany(writers.map(() => ({})))
      const titles = writers.map(() => lab.unique())
      await Promise.all(writers.map((writer, index) => writer.change(ids[index] ?? '', { title: titles[index] ?? '' })))
      const full = await (await lab.replica('laptop')).listAll()
      const listed = ids.map((id) => full.things.get(id)?.title ?? null)
      expectSame(listed, titles, 'the titles that 4 clients gave to 4 things concurrently', full)
    },
  },
  {
    // One client may also have several requests in flight; all clients must see the same final state.
    id: 'SYNC-RACE-05',
    title: 'MUST lead readers to the same state after several clients changed the same thing at the same time',
    basis: 'implied',
    requirements: ['C-4.3-31', 'C-4.3-33'],
    faults: ['pos-before-slow-commit'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const reader = await lab.replica('laptop')
      const id = await reader.create()
      let from = await reader.position()
      let seen: unknown
      let over = false
      const change = (writer: Replica) => repeat(lab, 4, () => writer.change(id))
      const changing = Promise.all(writers.map(change)).finally(() => {
        over = true
      })
      const read = async () => {
        for (let last = false; !last; ) {
          last = over
          const response = await reader.sync({ from })
          seen = response.things.get(id)?.title ?? seen
          from = response.pos
        }
      }
      await waitForBoth(changing, read())
      const full = await reader.listAll()
      const { title = null } = expectThing(full, id, 'laptop created it and no client deleted it')
      expectSame(seen ?? null, title, 'the title in the incremental syncs as in a full sync afterwards', full)
    },
  },
])

const rounds = 3

/** Sends both writes concurrently, several times, from two devices; both must be visible afterwards. */
const expectBoth = async (lab: Lab, one: WriteName, other: WriteName): Promise<void> => {
  const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
  const from = await phone.position()
  await laptop.position()
  const done: { name: WriteName; subject: string; word: string }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const pair = [one, other].map((name) => ({ name, word: lab.unique() }))
    const ready = []
    for (const { name, word } of pair) ready.push({ name, word, subject: await writes[name].prepare(lab, phone) })
    const sending = ready.map(({ name, subject, word }, index) =>
      writes[name].send(index === 0 ? phone : laptop, from, subject, word),
    )
    const results = await Promise.allSettled(sending)
    for (const result of results) if (result.status === 'rejected') throw result.reason
    done.push(...ready)
  }
  const full = await laptop.listAll()
  const incremental = await laptop.sync({ from })
  for (const [index, { name, subject, word }] of done.entries()) {
    const isListed = writes[name].isDone(full, subject, word)
    const isNotified =
      name === 'delete' ? !incremental.things.has(subject) : writes[name].isDone(incremental, subject, word)
    const expected = `the effect of phone's "${one}" and laptop's "${other}", sent at the same time, in a full sync and in an incremental sync from ${from}`
    const came = `"${name}" of round ${1 + Math.floor(index / 2)} is ${isListed ? '' : 'not '}in the one, ${isNotified ? '' : 'not '}in the other`
    expect(isListed && isNotified, expected, came, isListed ? incremental : full)
  }
}

/** Two things at the same time (implied by interface 4.3: a write with a response is visible). */
export const raceRules = coreRulesOf('4.3', [
  ...pairsOfWrites.map(([one, other], index) => ({
    id: `RACE-PAIR-${String(index + 1).padStart(2, '0')}`,
    title: `MUST keep both of two uploads that run at the same time: ${one} and ${other}`,
    basis: 'implied' as const,
    requirements: ['C-4.3-33'],
    faults: [`race-${codeOfWrite[one]}-${codeOfWrite[other]}-loses-one`],
    alone: true as const,
    check: (lab: Lab) => expectBoth(lab, one, other),
  })),
  {
    id: 'RACE-TAG-01',
    title: 'MUST keep the settings that several devices give to several tags at the same time, also in one session',
    basis: 'implied',
    requirements: ['C-4.3-33', 'C-2.2-4'],
    faults: ['race-tags-last-map-wins', 'race-one-session-drops'],
    alone: true,
    check: async (lab) => {
      const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
      const from = await phone.position()
      await laptop.position()
      const tags = Array.from({ length: 8 }, () => lab.unique())
      await Promise.all(
        tags.map((name, index) =>
          (index < 4 ? phone : laptop).sync({ from, tag: { [name]: { favorite: true, color: false, todo: false } } }),
        ),
      )
      const full = await laptop.listAll()
      const missing = tags.filter((name) => full.tags.get(name)?.favorite !== true)
      expect(
        missing.length === 0,
        '8 favorites that were set in 8 concurrent uploads',
        `${missing.length} are missing`,
        full,
      )
    },
  },
  {
    id: 'RACE-TOKEN-01',
    title: 'MUST give several grants that run at the same time a pair of tokens each, and every one of them works',
    section: '5.2',
    basis: 'implied',
    requirements: ['C-5.2-6', 'C-5.2-1'],
    faults: ['race-grants-share-pair', 'race-grants-lose-token', 'race-grants-mix-users'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create({ title: lab.mark })
      const [first, second = first] = lab.target.users
      const users = [first, second, first, second, first, second]
      const replies = await Promise.all(
        users.map((user) => lab.token({ username: user?.username, password: user?.password })),
      )
      const tokens = replies.map(readAccessToken)
      expect(
        new Set(tokens).size === tokens.length,
        '6 different access tokens',
        showValue(new Set(tokens).size),
        replies[0],
      )
      for (const [index, token] of tokens.entries()) {
        const reply = await lab.openSync(token, { path: 'sync', query: [['from', '0']] })
        const isMine = reply.text.includes(lab.mark)
        const isFirst = users[index] === first
        expectSame(
          isMine,
          isFirst,
          `whether the things of user 1 are listed for a grant of user ${isFirst ? 1 : 2}`,
          reply,
        )
      }
    },
  },
  {
    id: 'RACE-TOKEN-02',
    title: 'MUST respond to refreshes of several devices that run at the same time, each with a pair of its own',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-5.1-2', 'C-5.2-6'],
    faults: ['race-refreshes-share-pair', 'race-refreshes-reject-one'],
    alone: true,
    check: async (lab) => {
      const grants = []
      for (let count = 0; count < 4; count += 1) grants.push((await asSetup('a grant', () => takeGrant(lab))).reply)
      const replies = await Promise.all(grants.map((grant) => refresh(lab, readRequestToken(grant))))
      const tokens = replies.map(readAccessToken)
      expect(
        new Set(tokens).size === tokens.length,
        '4 different access tokens',
        showValue(new Set(tokens).size),
        replies[0],
      )
    },
  },
  {
    id: 'RACE-LIST-01',
    title: 'MUST give each of several devices that list at the same time the response to its own request',
    basis: 'implied',
    requirements: ['C-4.3-4', 'C-4.3-5'],
    faults: ['race-responses-swapped', 'race-from-of-last-asker'],
    alone: true,
    check: async (lab) => {
      const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
      const old = await phone.create()
      const from = await phone.position()
      const id = await phone.create()
      await laptop.position()
      for (let round = 0; round < rounds; round += 1) {
        const [incremental, full] = await Promise.all([phone.sync({ from }), laptop.listAll()])
        const came = [
          incremental.things.has(id),
          incremental.things.has(old),
          full.things.has(id),
          full.things.has(old),
        ]
        expectSame(
          came,
          [true, false, true, true],
          'whether a newer and an older thing are in an incremental sync and in a concurrent full sync',
          incremental,
        )
      }
    },
  },
  {
    id: 'RACE-MIX-01',
    title: 'MUST keep every upload of two sessions that write everything at the same time, while both list',
    basis: 'implied',
    requirements: ['C-4.3-33', 'C-4.3-31'],
    faults: ['race-listing-stops-write'],
    alone: true,
    check: async (lab) => {
      const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
      const ids = await phone.createMany(Array.from({ length: 8 }, () => ({})))
      const from = await laptop.position()
      const steps = ids.map((id, index) => ({
        id,
        title: lab.unique(),
        by: index % 2 === 0 ? phone : laptop,
        with: index % 2 === 0 ? laptop : phone,
      }))
      for (const step of steps) {
        await Promise.all([
          step.by.sync({ from, changed_thing: [{ _id: step.id, title: step.title }] }),
          step.with.listAll(),
          step.with.sync({ from }),
        ])
      }
      const full = await laptop.listAll()
      expectSame(
        ids.map((id) => titleOf(full, id) ?? null),
        steps.map(({ title }) => title),
        'titles of 8 things, each changed while another device listed',
        full,
      )
    },
  },
])

/** Each pair is sent twice, once in each order. */
const orders = [false, true] as const

/** Returns the results of concurrent requests when all have ended: no request may be in flight after a rule. */
const waitForAll = async <T>(sending: readonly Promise<T>[]): Promise<T[]> => {
  const results = await Promise.allSettled(sending)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

/** Starts the second request a moment after the first, so that it may arrive in the middle of the first. */
const startBoth = async <T>(lab: Lab, steps: readonly [() => Promise<T>, () => Promise<T>]): Promise<Promise<T>[]> => {
  const first = steps[0]()
  // The promise is awaited below; until then its rejection must not be unhandled.
  first.catch(() => {})
  await pause(lab.random() * 6)
  return [first, steps[1]()]
}

/** A client that continues from the position of an intermediate response gets both writes, in it or afterwards. */
const expectBothListed = async (lab: Lab, pair: readonly [WriteName, WriteName]): Promise<void> => {
  const [phone, laptop, watch] = [await lab.replica('phone'), await lab.replica('laptop'), await lab.replica('watch')]
  const rounds = []
  for (const isSwapped of orders) {
    const ready = []
    for (const name of pair) ready.push({ name, subject: await writes[name].prepare(lab, phone), word: lab.unique() })
    rounds.push(isSwapped ? ready.reverse() : ready)
  }
  const from = await phone.position()
  await waitForAll([laptop.token(), watch.token()])
  for (const [one, other] of rounds) {
    if (one === undefined || other === undefined) continue
    const sendBy = (replica: Replica, { name, subject, word }: typeof one) =>
      writes[name].send(replica, from, subject, word)
    const sending = await startBoth(lab, [() => sendBy(phone, one), () => sendBy(laptop, other)])
    const listing = Promise.race(sending).then(() => watch.sync({ from }))
    const [mine, theirs, seen] = (await waitForAll([...sending, listing])) as [SyncResponse, SyncResponse, SyncResponse]
    const views = [
      { who: phone, response: mine, due: [other] },
      { who: laptop, response: theirs, due: [one] },
      { who: watch, response: seen, due: [one, other] },
    ]
    for (const { who, response, due } of views) {
      const next = await who.sync({ from: response.pos })
      for (const { name, subject, word } of due) {
        const isNotified = [response, next].some((each) => writes[name].isNotified(each, subject, word))
        const expected = `${who.name} to get "${name}" in the response with position ${response.pos} or in the incremental sync from there; "${one.name}" by phone and "${other.name}" by laptop were in flight together`
        expect(isNotified, expected, 'it is in neither', next)
      }
    }
  }
}

/** A client's state of a thing or a tag: its title or color, or that it is deleted. */
type Held = string | null

interface SameWrite {
  readonly upload: (subject: string, word: string) => SyncParameters
  /** The state at the author of the write. */
  readonly holds: (word: string) => Held
}

const colorOf = (word: string): string => `#${Buffer.from(word).toString('hex').slice(-6)}`

const sameWrites: Readonly<Record<'change' | 'delete' | 'set a tag', SameWrite>> = {
  change: {
    upload: (subject, word) => ({ changed_thing: [{ _id: subject, title: word }] }),
    holds: (word) => word,
  },
  delete: { upload: (subject) => ({ deleted_thing: [subject] }), holds: () => null },
  'set a tag': {
    upload: (subject, word) => ({ tag: { [subject]: { favorite: true, color: colorOf(word), todo: false } } }),
    holds: colorOf,
  },
}

const findState = (response: SyncResponse, subject: string): Held => {
  const color = response.tags.get(subject)?.color
  const title = titleOf(response, subject)
  return typeof title === 'string' ? title : typeof color === 'string' ? color.toLowerCase() : null
}

/** Returns a client's state after a response, from its previous state. */
const applyToState = (held: Held, response: SyncResponse, subject: string): Held =>
  response.deleted.includes(subject) ? null : (findState(response, subject) ?? held)

/** Two concurrent writes of one thing or tag: either may win, but all clients get the same state. */
const expectOneState = async (lab: Lab, pair: readonly (keyof typeof sameWrites)[]): Promise<void> => {
  const [phone, laptop, watch] = [await lab.replica('phone'), await lab.replica('laptop'), await lab.replica('watch')]
  const isTag = pair.includes('set a tag')
  const subjects = isTag ? orders.map(() => lab.unique()) : await phone.createMany(orders.map(() => ({})))
  const from = await phone.position()
  await laptop.token()
  for (const [round, isSwapped] of orders.entries()) {
    const id = subjects[round] ?? ''
    const [one, other] = (isSwapped ? [...pair].reverse() : pair).map((name) => ({ name, word: lab.unique() }))
    if (one === undefined || other === undefined) continue
    const send = (replica: Replica, { name, word }: typeof one) =>
      replica.trySync({ from, ...sameWrites[name].upload(id, word) })
    const sending = await startBoth(lab, [() => send(phone, one), () => send(laptop, other)])
    const replies = await waitForAll(sending)
    const [full, incremental] = [await watch.listAll(), await watch.sync({ from })]
    const now = findState(full, id)
    const both = `"${one.name}" by phone and "${other.name}" by laptop, in flight together`
    const counts = [incremental.changed, incremental.deleted].map((ids) => ids.filter((each) => each === id).length)
    const wanted = isTag ? [0, 0] : now === null ? [0, 1] : [1, 0]
    const times = `how often ${id} is in things.changed and in things.deleted of an incremental sync from ${from}, and what it holds, as in a full sync after ${both}`
    expectSame([...counts, applyToState(null, incremental, id)], [...wanted, now], times, incremental)
    for (const [index, reply] of replies.entries()) {
      // A thing that was deleted meanwhile is an unknown ID, which may be an error.
      if (!isSyncResponse(reply)) continue
      const { name, word } = index === 0 ? one : other
      const [who, response] = [index === 0 ? phone : laptop, readSyncResponse(reply, 'an upload')]
      const next = await who.sync({ from: response.pos })
      const held = applyToState(applyToState(sameWrites[name].holds(word), response, id), next, id)
      expectSame(held, now, `what ${who.name} holds of ${id} in the end, as in a full sync after ${both}`, next)
    }
  }
}

const samePairs = [
  ['change', 'delete'],
  ['delete', 'delete'],
  ['change', 'change'],
  ['set a tag', 'set a tag'],
] as const

const gapsOf = (one: WriteName, other: WriteName): string[] => [
  ...new Set([
    `race-${codeOfWrite[one]}-${codeOfWrite[other]}-gap`,
    `race-${codeOfWrite[other]}-${codeOfWrite[one]}-gap`,
  ]),
]

const alsoFor: Readonly<Record<string, readonly string[]>> = {
  'change delete': ['race-change-delete-zombie', 'race-delete-change-gap'],
  'delete delete': ['race-delete-delete-twice'],
  'change change': ['race-change-change-gap'],
  'set a tag set a tag': ['race-tag-tag-gap'],
}

/** Other clients' view of two concurrent writes (implied by interface 4.3: following the positions misses nothing). */
export const raceListingRules = coreRulesOf('4.3', [
  ...pairsOfWrites.map(([one, other], index) => ({
    id: `RACE-TOLD-${String(index + 1).padStart(2, '0')}`,
    title: `MUST list both of two concurrent uploads for every client that follows positions: ${one} and ${other}`,
    basis: 'implied' as const,
    requirements: ['C-4.3-31', 'C-4.3-33'],
    faults: gapsOf(one, other),
    alone: true as const,
    check: (lab: Lab) => expectBothListed(lab, [one, other]),
  })),
  ...samePairs.map((pair, index) => ({
    id: `RACE-SAME-0${index + 1}`,
    title: `MUST lead every client to the same state after two concurrent uploads of one ${pair[0] === 'set a tag' ? 'tag' : 'thing'}: ${pair.join(' and ')}`,
    basis: 'implied' as const,
    requirements: ['C-4.3-31', 'C-4.3-33'],
    faults: alsoFor[pair.join(' ')] ?? [],
    alone: true as const,
    check: (lab: Lab) => expectOneState(lab, pair),
  })),
])
