import { setTimeout as pause } from 'node:timers/promises'
import { expect, expectSame } from '../../expect.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import { isSyncAnswer, readSyncAnswer, type SyncAnswer } from '../../sync-answer.ts'
import type { SyncParameters } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { codeOfWrite, pairsOfWrites, titleOf, type WriteName, writes } from './races.ts'

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
const expectBothTold = async (lab: Lab, pair: readonly [WriteName, WriteName]): Promise<void> => {
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
    const [mine, theirs, seen] = (await allOf([...sending, listing])) as [SyncAnswer, SyncAnswer, SyncAnswer]
    const views = [
      { who: phone, answer: mine, due: [other] },
      { who: laptop, answer: theirs, due: [one] },
      { who: watch, answer: seen, due: [one, other] },
    ]
    for (const { who, answer, due } of views) {
      const next = await who.sync({ from: answer.pos })
      for (const { name, made, word } of due) {
        const isTold = [answer, next].some((each) => writes[name].isTold(each, made, word))
        const expected = `${who.name} to be told of "${name}" in the answer with position ${answer.pos} or in the delta from there; "${one.name}" by phone and "${other.name}" by laptop were under way together`
        expect(isTold, expected, 'it is in neither', next)
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

const heldIn = (answer: SyncAnswer, made: string): Held => {
  const color = answer.tags.get(made)?.color
  const title = titleOf(answer, made)
  return typeof title === 'string' ? title : typeof color === 'string' ? color.toLowerCase() : null
}

/** What somebody holds who held something and takes in an answer. */
const takeIn = (held: Held, answer: SyncAnswer, made: string): Held =>
  answer.deleted.includes(made) ? null : (heldIn(answer, made) ?? held)

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
      if (!isSyncAnswer(reply)) continue
      const { name, word } = place === 0 ? one : other
      const [who, answer] = [place === 0 ? phone : laptop, readSyncAnswer(reply, 'an upload')]
      const next = await who.sync({ from: answer.pos })
      const held = takeIn(takeIn(sameWrites[name].holds(word), answer, id), next, id)
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
export const raceToldRules = coreSection('4.3', [
  ...pairsOfWrites.map(([one, other], place) => ({
    id: `RACE-TOLD-${String(place + 1).padStart(2, '0')}`,
    title: `MUST tell everybody who follows positions of both of two uploads at the same time: ${one} and ${other}`,
    basis: 'derived' as const,
    clauses: ['C-4.3-31', 'C-4.3-33'],
    faults: gapsOf(one, other),
    alone: true as const,
    check: (lab: Lab) => expectBothTold(lab, [one, other]),
  })),
  ...samePairs.map((pair, place) => ({
    id: `RACE-SAME-0${place + 1}`,
    title: `MUST lead everybody to the same state after two uploads of one ${pair[0] === 'set a tag' ? 'tag' : 'thing'} at the same time: ${pair.join(' and ')}`,
    basis: 'derived' as const,
    clauses: ['C-4.3-31', 'C-4.3-33'],
    faults: alsoFor[pair.join(' ')] ?? [],
    alone: true as const,
    check: (lab: Lab) => expectOneState(lab, pair),
  })),
])
