import { describe, test } from 'vitest'
import type { ContractCase, OpenStore } from './contract-case.ts'
import { copyCases } from './copy-cases.ts'
import { isolationCases } from './isolation-cases.ts'
import { listingCases } from './listing-cases.ts'
import { modelCases } from './model-cases.ts'
import { orderCases } from './order-cases.ts'
import { outboxCases } from './outbox-cases.ts'
import { registryCases } from './registry-cases.ts'
import { snapshotCases } from './snapshot-cases.ts'
import { usageCases } from './usage-cases.ts'
import { watchCases } from './watch-cases.ts'
import { writeCases } from './write-cases.ts'

/** The store promise of `store.ts`, sentence by sentence. */
export const contractCases: readonly ContractCase[] = [
  ...orderCases,
  ...writeCases,
  ...snapshotCases,
  ...listingCases,
  ...modelCases,
  ...isolationCases,
  ...registryCases,
  ...copyCases,
  ...outboxCases,
  ...watchCases,
  ...usageCases,
]

/** What kind of store is tested. */
export interface StoreKind {
  /** False for a store that ends with its process: its promises about restarts are not checked. */
  readonly survivesRestart: boolean
}

/** Registers a test for each sentence of the store promise; `open` gives each its own store. */
export const storeContract = (name: string, open: OpenStore, { survivesRestart }: StoreKind): void => {
  describe(name, () => {
    for (const { name: sentence, run, needsReopen } of contractCases) {
      if (needsReopen && !survivesRestart) continue
      test(sentence, async () => {
        const opened = await open()
        try {
          await run(opened)
        } finally {
          await opened.close()
        }
      })
    }
  })
}
