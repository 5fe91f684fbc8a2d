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

/** One write that is on its way together with another: what it is prepared with, what is sent, and how its effect shows. */
interface Write {
  readonly prepare: (lab: Lab, phone: Replica) => Promise<string>
  readonly send: (replica: Replica, from: number, made: string, word: string) => Promise<SyncResponse>
  readonly isDone: (full: SyncResponse, made: string, word: string) => boolean
  /** Whether a delta tells of it. */
  readonly isNotified: (delta: SyncResponse, made: string, word: string) => boolean
}

/** The title of a listed thing. */
const titleOf = (full: SyncResponse, id: string): unknown => full.things.get(id)?.title

const isTitled = (response: SyncResponse, word: string): boolean =>
  [...response.things.values()].some((thing) => thing.title === word)
const isFavorite = (response: SyncResponse, name: string): boolean => response.tags.get(name)?.favorite === true

/** The four writes of a sync. */
const writes: Readonly<Record<'create' | 'change' | 'delete' | 'set a tag', Write>> = {
  create: {
    prepare: async () => '',
    send: (replica, from, _made, word) => replica.sync({ from, new_thing: [{ local_id: word, title: word }] }),
    isDone: (full, _made, word) => isTitled(full, word),
    isNotified: (delta, _made, word) => isTitled(delta, word),
  },
  change: {
    prepare: (_lab, phone) => phone.create(),
    send: (replica, from, made, word) => replica.sync({ from, changed_thing: [{ _id: made, title: word }] }),
    isDone: (full, made, word) => titleOf(full, made) === word,
    isNotified: (delta, made, word) => titleOf(delta, made) === word,
  },
  delete: {
    prepare: (_lab, phone) => phone.create(),
    send: (replica, from, made) => replica.sync({ from, deleted_thing: [made] }),
    isDone: (full, made) => !full.things.has(made),
    isNotified: (delta, made) => delta.deleted.includes(made),
  },
  'set a tag': {
    prepare: async (lab) => lab.unique(),
    send: (replica, from, made) =>
      replica.sync({ from, tag: { [made]: { favorite: true, color: false, todo: false } } }),
    isDone: (full, made) => isFavorite(full, made),
    isNotified: (delta, made) => isFavorite(delta, made),
  },
}

/** Names of the writes. */
type WriteName = keyof typeof writes

const names = Object.keys(writes) as WriteName[]

/** Each pair of writes once. */
const pairsOfWrites = names.flatMap((one, place) =>
  names.slice(place).map((other): readonly [WriteName, WriteName] => [one, other]),
)

/** What the faults of the self-test call a write. */
const codeOfWrite = { create: 'new', change: 'change', delete: 'delete', 'set a tag': 'tag' } as const

const writerNames = ['phone', 'tablet', 'desktop', 'watch']

const openWriters = async (lab: Lab): Promise<Replica[]> => {
  const writers = await Promise.all(writerNames.map((name) => lab.replica(name)))
  // Their tokens are there before the race begins.
  await Promise.all(writers.map((writer) => writer.position()))
  return writers
}

/** Follows the positions until `isOver`, and then once more; what every delta listed, ids in any order. */
const followDeltas = async (reader: Replica, start: number, isOver: () => boolean) => {
  const notified = new Set<string>()
  const gone = new Set<string>()
  let from = start
  for (let last = false; ; last = isOver()) {
    const response = await reader.sync({ from })
    for (const id of response.changed) notified.add(id)
    for (const id of response.deleted) gone.add(id)
    from = response.pos
    if (last) return { notified, gone }
  }
}

/** Both results; when one fails the other is waited for too, because nothing may be under way when a rule is left. */
const bothOf = async <A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> => {
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
  const [result, seen] = await bothOf(
    working,
    followDeltas(reader, start, () => over),
  )
  return { result, ...seen }
}

/** Creates things as the judged step; their ids in the order of the titles. */
const createNow = async (writer: Replica, from: number, ...titles: readonly string[]): Promise<string[]> => {
  const response = await writer.sync({ from, new_thing: titles.map((title) => ({ local_id: title, title })) })
  return titles.map((title) => response.created.get(title) ?? `no id for local_id ${title}`)
}

/**
 * Steps of one client, one after the other, with short random pauses: without them clients that take equally long run
 * in step and never meet.
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
 * Several clients at the same moment (derived from interface 4.3: a client that follows its positions misses nothing).
 * They run alone only so that other rules do not slow the race down.
 */
export const concurrencyRules = coreRulesOf('4.3', [
  {
    // A change becomes visible behind every position given before: a reader between two commits is the hard case.
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
      const expected = 'all 24 things that 4 clients created, over the deltas that laptop read meanwhile and afterwards'
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
      const remove = (writer: Replica, place: number) =>
        repeat(lab, 3, async () => writer.remove(ids.splice(place % ids.length, 1)[0] ?? ''))
      const all = [...ids]
      const { gone } = await race(reader, () => Promise.all(writers.map(remove)))
      const missing = all.filter((id) => !gone.has(id))
      expect(
        missing.length === 0,
        'all 12 deletions by 4 clients in the deltas that laptop read',
        `missing: ${showValue(missing)}`,
      )
      const full = await reader.listAll()
      const left = all.filter((id) => full.things.has(id))
      expect(left.length === 0, 'none of the 12 deleted things in a full listing', showValue(left), full)
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
      expectSame(listed, titles.flat(), 'the titles of 16 things that 4 clients created in 4 uploads at once', full)
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
      expectSame(listed, titles, 'the titles that 4 clients gave to 4 things at once', full)
    },
  },
  {
    // One client may have several requests under way, too; the end is one state that everybody sees.
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
      await bothOf(changing, read())
      const full = await reader.listAll()
      const { title = null } = expectThing(full, id, 'laptop created it and nobody deleted it')
      expectSame(seen ?? null, title, 'the title in the deltas as in a full listing afterwards', full)
    },
  },
])

const rounds = 3

/** Sends both writes at the same moment, several times, by two devices; both have to show afterwards. */
const expectBoth = async (lab: Lab, one: WriteName, other: WriteName): Promise<void> => {
  const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
  const from = await phone.position()
  await laptop.position()
  const done: { name: WriteName; made: string; word: string }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const pair = [one, other].map((name) => ({ name, word: lab.unique() }))
    const ready = []
    for (const { name, word } of pair) ready.push({ name, word, made: await writes[name].prepare(lab, phone) })
    const sending = ready.map(({ name, made, word }, place) =>
      writes[name].send(place === 0 ? phone : laptop, from, made, word),
    )
    const results = await Promise.allSettled(sending)
    for (const result of results) if (result.status === 'rejected') throw result.reason
    done.push(...ready)
  }
  const full = await laptop.listAll()
  const delta = await laptop.sync({ from })
  for (const [place, { name, made, word }] of done.entries()) {
    const isListed = writes[name].isDone(full, made, word)
    const isNotified = name === 'delete' ? !delta.things.has(made) : writes[name].isDone(delta, made, word)
    const expected = `the effect of phone's "${one}" and laptop's "${other}", sent at the same time, in a full listing and in a delta from ${from}`
    const came = `"${name}" of round ${1 + Math.floor(place / 2)} is ${isListed ? '' : 'not '}in the one, ${isNotified ? '' : 'not '}in the other`
    expect(isListed && isNotified, expected, came, isListed ? delta : full)
  }
}

/** Two things at the same time (derived from interface 4.3: a write that was answered is there). */
export const raceRules = coreRulesOf('4.3', [
  ...pairsOfWrites.map(([one, other], place) => ({
    id: `RACE-PAIR-${String(place + 1).padStart(2, '0')}`,
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
        tags.map((name, place) =>
          (place < 4 ? phone : laptop).sync({ from, tag: { [name]: { favorite: true, color: false, todo: false } } }),
        ),
      )
      const full = await laptop.listAll()
      const missing = tags.filter((name) => full.tags.get(name)?.favorite !== true)
      expect(
        missing.length === 0,
        '8 favorites that were set in 8 uploads at once',
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
      for (const [place, token] of tokens.entries()) {
        const reply = await lab.openSync(token, { path: 'sync', query: [['from', '0']] })
        const isMine = reply.text.includes(lab.mark)
        const isFirst = users[place] === first
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
    title: 'MUST answer refreshes of several devices that run at the same time, each with a pair of its own',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-5.1-2', 'C-5.2-6'],
    faults: ['race-refreshes-share-pair', 'race-refreshes-refuse-one'],
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
    title: 'MUST give each of several devices that list at the same time the answer to its own request',
    basis: 'implied',
    requirements: ['C-4.3-4', 'C-4.3-5'],
    faults: ['race-answers-swapped', 'race-from-of-last-asker'],
    alone: true,
    check: async (lab) => {
      const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
      const old = await phone.create()
      const from = await phone.position()
      const id = await phone.create()
      await laptop.position()
      for (let round = 0; round < rounds; round += 1) {
        const [delta, full] = await Promise.all([phone.sync({ from }), laptop.listAll()])
        const came = [delta.things.has(id), delta.things.has(old), full.things.has(id), full.things.has(old)]
        expectSame(
          came,
          [true, false, true, true],
          'whether a newer and an older thing are in a delta and in a full listing asked for at once',
          delta,
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
      const steps = ids.map((id, place) => ({
        id,
        title: lab.unique(),
        by: place % 2 === 0 ? phone : laptop,
        with: place % 2 === 0 ? laptop : phone,
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

/** The results of what was sent at the same time, after all of it has ended: nothing may be under way when a rule is left. */
const allOf = async <T>(sending: readonly Promise<T>[]): Promise<T[]> => {
  const results = await Promise.allSettled(sending)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

/** Starts the second a moment after the first, so that it may come into the middle of it. */
const startBoth = async <T>(lab: Lab, steps: readonly [() => Promise<T>, () => Promise<T>]): Promise<Promise<T>[]> => {
  const first = steps[0]()
  // Waited for below: until then a failure is nobody's.
  first.catch(() => {})
  await pause(lab.random() * 6)
  return [first, steps[1]()]
}

/** Whoever goes on from the position of an answer that came meanwhile is told of both writes, in it or afterwards. */
const expectBothListed = async (lab: Lab, pair: readonly [WriteName, WriteName]): Promise<void> => {
  const [phone, laptop, watch] = [await lab.replica('phone'), await lab.replica('laptop'), await lab.replica('watch')]
  const rounds = []
  for (const isSwapped of orders) {
    const ready = []
    for (const name of pair) ready.push({ name, made: await writes[name].prepare(lab, phone), word: lab.unique() })
    rounds.push(isSwapped ? ready.reverse() : ready)
  }
  const from = await phone.position()
  await allOf([laptop.token(), watch.token()])
  for (const [one, other] of rounds) {
    if (one === undefined || other === undefined) continue
    const sendBy = (replica: Replica, { name, made, word }: typeof one) => writes[name].send(replica, from, made, word)
    const sending = await startBoth(lab, [() => sendBy(phone, one), () => sendBy(laptop, other)])
    const listing = Promise.race(sending).then(() => watch.sync({ from }))
    const [mine, theirs, seen] = (await allOf([...sending, listing])) as [SyncResponse, SyncResponse, SyncResponse]
    const views = [
      { who: phone, response: mine, due: [other] },
      { who: laptop, response: theirs, due: [one] },
      { who: watch, response: seen, due: [one, other] },
    ]
    for (const { who, response, due } of views) {
      const next = await who.sync({ from: response.pos })
      for (const { name, made, word } of due) {
        const isNotified = [response, next].some((each) => writes[name].isNotified(each, made, word))
        const expected = `${who.name} to be told of "${name}" in the answer with position ${response.pos} or in the delta from there; "${one.name}" by phone and "${other.name}" by laptop were under way together`
        expect(isNotified, expected, 'it is in neither', next)
      }
    }
  }
}

/** What a client holds of a thing or a tag: its title or colour, or that it is gone. */
type Held = string | null

interface SameWrite {
  readonly upload: (made: string, word: string) => SyncParameters
  /** What its author holds after it. */
  readonly holds: (word: string) => Held
}

const colorOf = (word: string): string => `#${Buffer.from(word).toString('hex').slice(-6)}`

const sameWrites: Readonly<Record<'change' | 'delete' | 'set a tag', SameWrite>> = {
  change: {
    upload: (made, word) => ({ changed_thing: [{ _id: made, title: word }] }),
    holds: (word) => word,
  },
  delete: { upload: (made) => ({ deleted_thing: [made] }), holds: () => null },
  'set a tag': {
    upload: (made, word) => ({ tag: { [made]: { favorite: true, color: colorOf(word), todo: false } } }),
    holds: colorOf,
  },
}

const heldIn = (response: SyncResponse, made: string): Held => {
  const color = response.tags.get(made)?.color
  const title = titleOf(response, made)
  return typeof title === 'string' ? title : typeof color === 'string' ? color.toLowerCase() : null
}

/** What somebody holds who held something and takes in an answer. */
const takeIn = (held: Held, response: SyncResponse, made: string): Held =>
  response.deleted.includes(made) ? null : (heldIn(response, made) ?? held)

/** Two writes of one thing or tag at a time: whoever wins, everybody comes to hold the same. */
const expectOneState = async (lab: Lab, pair: readonly (keyof typeof sameWrites)[]): Promise<void> => {
  const [phone, laptop, watch] = [await lab.replica('phone'), await lab.replica('laptop'), await lab.replica('watch')]
  const isTag = pair.includes('set a tag')
  const made = isTag ? orders.map(() => lab.unique()) : await phone.createMany(orders.map(() => ({})))
  const from = await phone.position()
  await laptop.token()
  for (const [round, isSwapped] of orders.entries()) {
    const id = made[round] ?? ''
    const [one, other] = (isSwapped ? [...pair].reverse() : pair).map((name) => ({ name, word: lab.unique() }))
    if (one === undefined || other === undefined) continue
    const send = (replica: Replica, { name, word }: typeof one) =>
      replica.trySync({ from, ...sameWrites[name].upload(id, word) })
    const sending = await startBoth(lab, [() => send(phone, one), () => send(laptop, other)])
    const replies = await allOf(sending)
    const [full, delta] = [await watch.listAll(), await watch.sync({ from })]
    const now = heldIn(full, id)
    const both = `"${one.name}" by phone and "${other.name}" by laptop, under way together`
    const counts = [delta.changed, delta.deleted].map((ids) => ids.filter((each) => each === id).length)
    const wanted = isTag ? [0, 0] : now === null ? [0, 1] : [1, 0]
    const times = `how often ${id} is in things.changed and in things.deleted of a delta from ${from}, and what it holds, as in a full listing after ${both}`
    expectSame([...counts, takeIn(null, delta, id)], [...wanted, now], times, delta)
    for (const [place, reply] of replies.entries()) {
      // What has gone meanwhile is an unknown id, and that may be an error.
      if (!isSyncResponse(reply)) continue
      const { name, word } = place === 0 ? one : other
      const [who, response] = [place === 0 ? phone : laptop, readSyncResponse(reply, 'an upload')]
      const next = await who.sync({ from: response.pos })
      const held = takeIn(takeIn(sameWrites[name].holds(word), response, id), next, id)
      expectSame(held, now, `what ${who.name} holds of ${id} in the end, as in a full listing after ${both}`, next)
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

/** What others are told of two writes at the same time (derived from interface 4.3: following the positions misses nothing). */
export const raceListingRules = coreRulesOf('4.3', [
  ...pairsOfWrites.map(([one, other], place) => ({
    id: `RACE-TOLD-${String(place + 1).padStart(2, '0')}`,
    title: `MUST tell everybody who follows positions of both of two uploads at the same time: ${one} and ${other}`,
    basis: 'implied' as const,
    requirements: ['C-4.3-31', 'C-4.3-33'],
    faults: gapsOf(one, other),
    alone: true as const,
    check: (lab: Lab) => expectBothListed(lab, [one, other]),
  })),
  ...samePairs.map((pair, place) => ({
    id: `RACE-SAME-0${place + 1}`,
    title: `MUST lead everybody to the same state after two uploads of one ${pair[0] === 'set a tag' ? 'tag' : 'thing'} at the same time: ${pair.join(' and ')}`,
    basis: 'implied' as const,
    requirements: ['C-4.3-31', 'C-4.3-33'],
    faults: alsoFor[pair.join(' ')] ?? [],
    alone: true as const,
    check: (lab: Lab) => expectOneState(lab, pair),
  })),
])
