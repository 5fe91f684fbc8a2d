import type { LocalStore } from './local-store.ts'

/** The values of many keys, in their order. */
export const readMany = ({ get, getMany }: LocalStore, keys: readonly string[]): Promise<unknown[]> =>
  keys.length > 1 && getMany !== undefined ? getMany(keys) : Promise.all(keys.map((key) => get(key)))
