/** The values of many keys, in their order. */
export const readMany = ({ get, getMany }: LocalStore, keys: readonly string[]): Promise<unknown[]> =>
  keys.length > 1 && getMany !== undefined ? getMany(keys) : Promise.all(keys.map((key) => get(key)))

/**
 * Where a replica keeps what it knows: values by key, like a table of IndexedDB or SQLite with two columns. Values are
 * plain JSON. One store belongs to one account and to one open replica at a time.
 */
export interface LocalStore {
  /** The value that was written last under the key; undefined when there is none. */
  readonly get: (key: string) => Promise<unknown>
  /** The values of many keys, in their order; left out where it would be no quicker than asking for each. */
  readonly getMany?: (keys: readonly string[]) => Promise<unknown[]>
  /** All entries whose key begins with the prefix, in any order; what is written meanwhile may be seen or not. */
  readonly list: (prefix: string) => AsyncIterable<readonly [key: string, value: unknown]>
  /** The same, as many together as the store reads at once; left out where that would be one at a time. */
  readonly listParts?: (prefix: string) => AsyncIterable<readonly (readonly [key: string, value: unknown])[]>
  /**
   * Sets values, or removes those that are given as undefined: all of them or none, whatever happens, and on disk when
   * this resolves. That is all that the replica's promises rest on.
   */
  readonly write: (changes: ReadonlyMap<string, unknown>) => Promise<void>
}

/** A local store that forgets everything when the program ends. */
export const createMemoryLocalStore = (): LocalStore => {
  const entries = new Map<string, string>()
  return {
    get: async (key) => parse(entries.get(key)),
    async *list(prefix) {
      for (const [key, json] of entries) if (key.startsWith(prefix)) yield [key, parse(json)]
    },
    write: async (changes) => {
      // First all texts: a value that has none must not leave half of a write behind.
      const texts = Array.from(changes, ([key, value]) => [key, value === undefined ? value : JSON.stringify(value)])
      for (const [key = '', json] of texts) {
        if (json === undefined) entries.delete(key)
        else entries.set(key, json)
      }
    },
  }
}

const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))
