import type { LocalStore } from './local-store.ts'
import { readMany } from './read-many.ts'
import { keys } from './replica-records.ts'

const isThing = (key: string) => key.startsWith(keys.thing(''))
const isTag = (key: string) => key.startsWith(keys.tag(''))

/**
 * A store that gives the things of the last two writes without reading them again, because who is told of a change asks for
 * them at once, and the settings of a tag, which each of its things asks for. Values that it gives may not be changed.
 */
export const rememberWrites = (store: LocalStore): LocalStore => {
  let last = new Map<string, unknown>()
  let older = new Map<string, unknown>()
  const tags = new Map<string, unknown>()
  let writes = 0
  const find = (key: string) => [last, older, tags].find((known) => known.has(key))

  const getMany = async (asked: readonly string[]): Promise<unknown[]> => {
    const known = asked.map((key) => find(key)?.get(key))
    const unknown = asked.filter((key) => find(key) === undefined)
    if (unknown.length === 0) return known
    const writesBefore = writes
    const read = new Map((await readMany(store, unknown)).map((value, place) => [unknown[place] ?? '', value]))
    // What was read beside a write may be what was there before.
    if (writes === writesBefore) for (const [key, value] of read) if (isTag(key)) tags.set(key, value)
    return asked.map((key, place) => (read.has(key) ? read.get(key) : known[place]))
  }
  const forget = (changes: Iterable<string>) => {
    writes++
    for (const key of changes) for (const known of [last, older, tags]) known.delete(key)
  }
  return {
    get: async (key) => (await getMany([key]))[0],
    getMany,
    list: store.list,
    ...(store.listParts === undefined ? {} : { listParts: store.listParts }),
    write: async (changes) => {
      // Until it is written, and where that fails, the store has to say what is there.
      forget(changes.keys())
      await store.write(changes)
      forget(changes.keys())
      const things = [...changes].filter(([key]) => isThing(key))
      if (things.length === 0) return
      older = last
      last = new Map(things)
    },
  }
}
