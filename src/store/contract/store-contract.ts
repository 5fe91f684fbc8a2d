import { describe, test } from 'vitest'
import type { ContractCase, OpenStore } from './contract-case.ts'
import { directoryCases } from './directory-cases.ts'
import { isolationCases } from './isolation-cases.ts'
import { listingCases } from './listing-cases.ts'
import { modelCases } from './model-cases.ts'
import { orderCases } from './order-cases.ts'
import { snapshotCases } from './snapshot-cases.ts'
import { writeCases } from './write-cases.ts'

/** The store promise of `store.ts`, sentence by sentence. */
export const contractCases: readonly ContractCase[] = [
  ...orderCases,
  ...writeCases,
  ...snapshotCases,
  ...listingCases,
  ...modelCases,
  ...isolationCases,
  ...directoryCases,
]

/** Registers a test for each sentence of the store promise; `open` gives each its own store. */
export const storeContract = (name: string, open: OpenStore): void => {
  describe(name, () => {
    for (const { name: sentence, run, needsReopen } of contractCases)
      test(sentence, async (context) => {
        const opened = await open()
        try {
          if (needsReopen && opened.reopen === undefined) context.skip('this store ends with its process')
          await run(opened)
        } finally {
          await opened.close()
        }
      })
  })
}
