import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import type { SyncAnswer } from '../../sync-answer.ts'

/** One write that is on its way together with another: what it is prepared with, what is sent, and how its effect shows. */
export interface Write {
  readonly prepare: (lab: Lab, phone: Replica) => Promise<string>
  readonly send: (replica: Replica, from: number, made: string, word: string) => Promise<SyncAnswer>
  readonly isDone: (full: SyncAnswer, made: string, word: string) => boolean
  /** Whether a delta tells of it. */
  readonly isTold: (delta: SyncAnswer, made: string, word: string) => boolean
}

/** The title of a listed thing. */
export const titleOf = (full: SyncAnswer, id: string): unknown => full.things.get(id)?.title

const isTitled = (answer: SyncAnswer, word: string): boolean =>
  [...answer.things.values()].some((thing) => thing.title === word)
const isFavorite = (answer: SyncAnswer, name: string): boolean => answer.tags.get(name)?.favorite === true

/** The four writes of a sync. */
export const writes: Readonly<Record<'create' | 'change' | 'delete' | 'set a tag', Write>> = {
  create: {
    prepare: async () => '',
    send: (replica, from, _made, word) => replica.sync({ from, new_thing: [{ local_id: word, title: word }] }),
    isDone: (full, _made, word) => isTitled(full, word),
    isTold: (delta, _made, word) => isTitled(delta, word),
  },
  change: {
    prepare: (_lab, phone) => phone.create(),
    send: (replica, from, made, word) => replica.sync({ from, changed_thing: [{ _id: made, title: word }] }),
    isDone: (full, made, word) => titleOf(full, made) === word,
    isTold: (delta, made, word) => titleOf(delta, made) === word,
  },
  delete: {
    prepare: (_lab, phone) => phone.create(),
    send: (replica, from, made) => replica.sync({ from, deleted_thing: [made] }),
    isDone: (full, made) => !full.things.has(made),
    isTold: (delta, made) => delta.deleted.includes(made),
  },
  'set a tag': {
    prepare: async (lab) => lab.unique(),
    send: (replica, from, made) =>
      replica.sync({ from, tag: { [made]: { favorite: true, color: false, todo: false } } }),
    isDone: (full, made) => isFavorite(full, made),
    isTold: (delta, made) => isFavorite(delta, made),
  },
}

/** Names of the writes. */
export type WriteName = keyof typeof writes

const names = Object.keys(writes) as WriteName[]

/** Each pair of writes once. */
export const pairsOfWrites = names.flatMap((one, place) =>
  names.slice(place).map((other): readonly [WriteName, WriteName] => [one, other]),
)

/** What the faults of the self-test call a write. */
export const codeOfWrite = { create: 'new', change: 'change', delete: 'delete', 'set a tag': 'tag' } as const
