/** Reads the values of many keys, in the order of the keys. */
export const readMany = ({ get, getMany }: LocalStore, keys: readonly string[]): Promise<unknown[]> =>
  keys.length > 1 && getMany !== undefined ? getMany(keys) : Promise.all(keys.map((key) => get(key)))

/**
 * The storage of a replica: values by key, like a table of IndexedDB or SQLite with two columns. Values are plain JSON.
 * One store belongs to one account and to one open replica at a time.
 */
export interface LocalStore {
  /** Returns the value that was written last under the key; undefined when there is none. */
  readonly get: (key: string) => Promise<unknown>
  /** Returns the values of many keys, in their order; absent where it is not faster than `get` for each key. */
  readonly getMany?: (keys: readonly string[]) => Promise<unknown[]>
  /**
   * Lists all entries whose key begins with the prefix, in any order. Entries that are written meanwhile may be
   * missing.
   */
  readonly list: (prefix: string) => AsyncIterable<readonly [key: string, value: unknown]>
  /** Lists the same entries in parts, as many together as the store reads at once; absent where that is one. */
  readonly listParts?: (prefix: string) => AsyncIterable<readonly (readonly [key: string, value: unknown])[]>
  /**
   * Sets values, and removes the keys whose value is undefined: all of them or none, whatever happens. The changes are
   * on disk when this resolves. All promises of the replica depend on this.
   */
  readonly write: (changes: ReadonlyMap<string, unknown>) => Promise<void>
}

/** Creates a local store in memory, which loses everything when the program ends. */
export const createMemoryLocalStore = (): LocalStore => {
  const entries = new Map<string, string>()
  return {
    get: async (key) => parse(entries.get(key)),
    async *list(prefix) {
      for (const [key, json] of entries) if (key.startsWith(prefix)) yield [key, parse(json)]
    },
    write: async (changes) => {
      // First all JSON texts: a value that has no JSON must not leave half of a write behind.
      const texts = Array.from(changes, ([key, value]) => [key, value === undefined ? value : JSON.stringify(value)])
      for (const [key = '', json] of texts) {
        if (json === undefined) entries.delete(key)
        else entries.set(key, json)
      }
    },
  }
}

const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))
