import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonFileStoreOptions, openJsonFileStore } from '../../src/store/json-file-store.ts'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { OpenedStore, OpenStore } from './contract-case.ts'
import { contractForm } from './fixtures.ts'

/** A clock that stands until it is moved. */
const createClock = () => {
  let milliseconds = 1_700_000_000_000
  return {
    monotonicMs: () => milliseconds,
    passTime: (passed: number) => {
      milliseconds += passed
    },
  }
}

/** Opens a memory store for the contract. */
export const openContractMemoryStore: OpenStore = async () => {
  const { monotonicMs, passTime } = createClock()
  const store = await openMemoryStore({ form: contractForm, monotonicMs })
  return { store, passTime, close: store.close }
}

/** Opens a JSON-file store in a fresh temporary folder for the contract. */
export const openContractJsonFileStore: OpenStore = () => openJsonFiles({})

/** The same, with a journal of which every commit fills a segment, so that accounts are saved all the time. */
export const openContractSavingStore: OpenStore = () => openJsonFiles({ segmentBytes: 1 })

const openJsonFiles = async (options: Pick<JsonFileStoreOptions, 'segmentBytes'>): Promise<OpenedStore> => {
  const { monotonicMs, passTime } = createClock()
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-store-'))
  const open = (): Promise<Store> => openJsonFileStore({ folder, form: contractForm, monotonicMs, ...options })
  let store = await open()
  return {
    store,
    passTime,
    reopen: async () => {
      await store.close()
      store = await open()
      return store
    },
    close: async () => {
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}
