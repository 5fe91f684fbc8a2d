import type { Draft } from './drafts.ts'

/**
 * The times of the last changes of items, as this browser has seen them: the API has no such time. An item without a
 * time counts as unchanged since its date.
 */
export interface ChangeTimes {
  /** Notes that items with these IDs have changed now. */
  readonly note: (ids: Iterable<string>) => void
  /** Replaces the ID of an item. */
  readonly rename: (id: string, next: string) => void
  /** Lists the IDs with their times, in seconds since 1970, the earliest first. */
  readonly list: () => Iterable<readonly [id: string, seconds: number]>
}

/** Older changes are far down in the list. */
const maxTimes = 300

const decode = (text: string): ReadonlyMap<string, number> => {
  const value: unknown = text === '' ? [] : JSON.parse(text)
  return new Map(value as readonly (readonly [string, number])[])
}

/** Opens the times that a draft of the account stores; `now` returns milliseconds since 1970. */
export const openChangeTimes = (draft: Draft, now: () => number): ChangeTimes => {
  const times = new Map(decode(draft.read()))
  const put = (id: string, seconds: number) => {
    times.delete(id)
    times.set(id, seconds)
  }
  const save = () => {
    for (const id of times.keys()) {
      if (times.size <= maxTimes) break
      times.delete(id)
    }
    draft.write(JSON.stringify([...times]))
  }
  return {
    note: (ids) => {
      for (const id of ids) put(id, now() / 1000)
      save()
    },
    rename: (id, next) => {
      const seconds = times.get(id)
      if (seconds === undefined) return
      times.delete(id)
      put(next, seconds)
      save()
    },
    list: () => times,
  }
}
